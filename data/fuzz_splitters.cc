#include <cstddef>
#include <cstdint>

#include "base/check.h"
#include "data/document_splitter.h"
#include "data/json_text.h"

namespace {

constexpr size_t kLimit = 4096;

std::vector<tenor::RawDocument> Split(const tenor::Separator& separator, absl::string_view text,
                                      size_t piece) {
  const auto splitter = tenor::MakeDocumentSplitter(separator, kLimit);
  std::vector<tenor::RawDocument> documents;
  for (size_t at = 0; at < text.size(); at += piece) {
    if (!splitter->Feed(text.substr(at, piece), &documents).ok()) return documents;
  }
  (void)splitter->Finish(&documents);
  return documents;
}

void CheckSeparator(absl::string_view name, absl::string_view text) {
  const tenor::Separator separator = *tenor::ParseSeparator(name);
  const auto whole = Split(separator, text, text.size() + 1);
  const auto pieces = Split(separator, text, 3);
  CHECK_EQ(whole.size(), pieces.size());
  for (size_t i = 0; i < whole.size(); ++i) {
    CHECK(whole[i].text == pieces[i].text && whole[i].line == pieces[i].line);
    CHECK_LE(whole[i].text.size(), kLimit + 1);
  }
}

}  // namespace

// Any file in every form: the documents do not depend on how its bytes arrive.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const absl::string_view text(reinterpret_cast<const char*>(data), size);
  for (const char* name : {"blank", "line", "line:%", "csv:a", "jsonl:a"}) {
    CheckSeparator(name, text);
  }
  (void)tenor::JsonText(text, "a");
  return 0;
}

#include <cstddef>
#include <cstdint>

#include "base/check.h"
#include "data/html_unescape.h"
#include "data/preprocess.h"
#include "data/utf8.h"

// Any bytes: the result is UTF-8 and begins and ends as it must.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const absl::string_view text(reinterpret_cast<const char*>(data), size);
  (void)tenor::HtmlUnescape(text);
  const std::string processed = tenor::PreprocessOai(text);
  CHECK(tenor::ReplaceInvalidUtf8(processed) == processed);
  if (processed.empty()) return 0;
  CHECK(processed.size() > 3 && processed.compare(0, 2, "\n ") == 0 && processed.back() == ' ');
  CHECK(processed.find('\n', 1) == std::string::npos);
  return 0;
}

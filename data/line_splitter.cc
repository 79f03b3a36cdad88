#include "data/line_splitter.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status.h"

namespace tenor {
namespace {

bool IsBlank(absl::string_view line) {
  return line.find_first_not_of(" \t\v\f\r") == absl::string_view::npos;
}

}  // namespace

absl::Status LineSplitter::CheckLength() const {
  if (line_.size() + document_.text.size() <= max_document_bytes_) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(std::max<int64_t>(document_.line, 1), ": a document is longer than ",
                   max_document_bytes_, " bytes; choose another separator or split it"));
}

absl::Status LineSplitter::Feed(absl::string_view bytes, std::vector<RawDocument>* documents) {
  while (!bytes.empty()) {
    const size_t end = bytes.find('\n');
    const absl::string_view part = bytes.substr(0, end);
    line_.append(part.data(), part.size());
    TENOR_RETURN_IF_ERROR(CheckLength());
    if (end == absl::string_view::npos) return absl::OkStatus();
    TakeLine(documents);
    bytes.remove_prefix(end + 1);
  }
  return absl::OkStatus();
}

absl::Status LineSplitter::Finish(std::vector<RawDocument>* documents) {
  if (!line_.empty()) TakeLine(documents);
  if (document_.line > 0) FlushDocument(documents);
  return absl::OkStatus();
}

bool LineSplitter::EveryLineIsADocument() const {
  return separator_.kind == Separator::Kind::kLine ||
         separator_.kind == Separator::Kind::kJsonLines;
}

bool LineSplitter::IsSeparator() const {
  return separator_.kind == Separator::Kind::kTextLine ? line_ == separator_.text : IsBlank(line_);
}

void LineSplitter::AddLineToDocument() {
  if (document_.line == 0) document_.line = line_number_;
  absl::StrAppend(&document_.text, line_, "\n");
}

void LineSplitter::FlushDocument(std::vector<RawDocument>* documents) {
  if (document_.line == 0) document_.line = line_number_;
  documents->push_back(std::exchange(document_, {}));
}

void LineSplitter::TakeLine(std::vector<RawDocument>* documents) {
  if (!line_.empty() && line_.back() == '\r') line_.pop_back();
  const bool is_run_of_blanks =
      separator_.kind == Separator::Kind::kBlankLine && document_.line == 0;
  if (EveryLineIsADocument()) {
    documents->push_back({line_, line_number_});
  } else if (!IsSeparator()) {
    AddLineToDocument();
  } else if (!is_run_of_blanks) {
    FlushDocument(documents);
  }
  line_.clear();
  ++line_number_;
}

}  // namespace tenor

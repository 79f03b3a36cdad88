#include "data/csv_splitter.h"

#include <algorithm>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/status.h"

namespace tenor {
namespace {

// Of a header; keeps a file that is no CSV from growing it without bound.
constexpr size_t kMaxColumns = 65536;

}  // namespace

absl::Status CsvSplitter::Error(absl::string_view sentence) const {
  return absl::InvalidArgumentError(absl::StrCat(record_line_, ": ", sentence));
}

absl::Status CsvSplitter::Feed(absl::string_view bytes, std::vector<RawDocument>* documents) {
  for (const char c : bytes) {
    TENOR_RETURN_IF_ERROR(Take(c, documents));
    if (c == '\n') ++line_;
  }
  return absl::OkStatus();
}

absl::Status CsvSplitter::Finish(std::vector<RawDocument>* documents) {
  if (state_ == State::kQuoted) {
    return Error("a quoted field has no closing quote; is this CSV (RFC 4180)?");
  }
  if (!is_empty_line_) TENOR_RETURN_IF_ERROR(EndRecord(documents));
  return IsHeader() ? Error("there is no record; the first one must name the columns")
                    : absl::OkStatus();
}

absl::Status CsvSplitter::Take(char c, std::vector<RawDocument>* documents) {
  if (is_empty_line_ && c != '\r' && c != '\n') {
    is_empty_line_ = false;
    record_line_ = line_;
  }
  switch (state_) {
    case State::kQuoted:
      if (c != '"') return Append(c);
      state_ = State::kQuoteInQuoted;
      return absl::OkStatus();
    case State::kQuoteInQuoted:
      return TakeQuoteInQuoted(c, documents);
    case State::kFieldStart:
      if (c != '"') break;
      state_ = State::kQuoted;
      return absl::OkStatus();
    case State::kAfterReturn:
      if (c == '\n') return EndRecord(documents);
      TENOR_RETURN_IF_ERROR(Append('\r'));
      state_ = State::kPlain;
      break;
    case State::kPlain:
      break;
  }
  return TakeOutsideQuotes(c, documents);
}

absl::Status CsvSplitter::TakeOutsideQuotes(char c, std::vector<RawDocument>* documents) {
  if (c == '\n') return EndRecord(documents);
  if (c == ',') return EndField();
  if (c == '\r') {
    state_ = State::kAfterReturn;
    return absl::OkStatus();
  }
  state_ = State::kPlain;
  return Append(c);
}

absl::Status CsvSplitter::TakeQuoteInQuoted(char c, std::vector<RawDocument>* documents) {
  if (c == '"') {
    state_ = State::kQuoted;
    return Append('"');
  }
  if (c == '\n') return EndRecord(documents);
  if (c == ',') return EndField();
  if (c == '\r') return absl::OkStatus();
  return Error("there is text behind a closing quote; a quote inside a quoted field is doubled");
}

absl::Status CsvSplitter::Append(char c) {
  const bool wanted = IsHeader() || field_index_ == column_index_;
  if (!wanted) return absl::OkStatus();
  if (field_.size() >= max_document_bytes_) {
    return Error(absl::StrCat("a field is longer than ", max_document_bytes_,
                              " bytes; is a quote left open?"));
  }
  field_.push_back(c);
  return absl::OkStatus();
}

absl::Status CsvSplitter::EndField() {
  state_ = State::kFieldStart;
  if (IsHeader()) {
    if (header_.size() >= kMaxColumns) return Error("the header has more than 65536 columns");
    header_.push_back(field_);
  } else if (field_index_ == column_index_) {
    document_ = {field_, record_line_};
  }
  field_.clear();
  ++field_index_;
  return absl::OkStatus();
}

absl::Status CsvSplitter::FindColumn() {
  const auto found = std::find(header_.begin(), header_.end(), column_);
  if (found == header_.end()) {
    const std::string there = absl::StrJoin(header_, ", ").substr(0, 200);
    return Error(absl::StrCat("there is no column \"", column_, "\"; the columns are ",
                              absl::CHexEscape(there)));
  }
  column_index_ = found - header_.begin();
  header_.clear();
  return absl::OkStatus();
}

absl::Status CsvSplitter::EndRecord(std::vector<RawDocument>* documents) {
  if (is_empty_line_) {
    state_ = State::kFieldStart;
    return absl::OkStatus();
  }
  TENOR_RETURN_IF_ERROR(EndField());
  const int64_t fields = std::exchange(field_index_, 0);
  is_empty_line_ = true;
  if (IsHeader()) return FindColumn();
  if (document_.line == 0) {
    return Error(absl::StrCat("the record has ", fields, " fields, column \"", column_,
                              "\" is number ", column_index_ + 1));
  }
  documents->push_back(std::exchange(document_, {}));
  return absl::OkStatus();
}

}  // namespace tenor

#ifndef TENOR_DATA_CSV_SPLITTER_H_
#define TENOR_DATA_CSV_SPLITTER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "data/document_splitter.h"

namespace tenor {

// One column of a CSV file (RFC 4180): fields between commas, a quoted field may hold commas, line
// ends (kept as they are) and doubled quotes. A quote inside a field that did not begin with one is
// text. Lines without any character are left out. The first record names the columns.
//
// Errors also: no column of that name, a record without that field, text behind a closing quote, a
// quote that never closes.
class CsvSplitter : public DocumentSplitter {
 public:
  CsvSplitter(std::string column, size_t max_document_bytes)
      : column_(std::move(column)), max_document_bytes_(max_document_bytes) {}

  absl::Status Feed(absl::string_view bytes, std::vector<RawDocument>* documents) override;
  absl::Status Finish(std::vector<RawDocument>* documents) override;

 private:
  enum class State {
    kFieldStart,
    kPlain,
    kQuoted,
    kQuoteInQuoted,  // the field's end or the first of two
    kAfterReturn,    // "\r" outside of quotes
  };

  absl::Status Take(char c, std::vector<RawDocument>* documents);
  absl::Status TakeOutsideQuotes(char c, std::vector<RawDocument>* documents);
  absl::Status TakeQuoteInQuoted(char c, std::vector<RawDocument>* documents);
  absl::Status EndField();
  absl::Status EndRecord(std::vector<RawDocument>* documents);
  absl::Status FindColumn();
  absl::Status Append(char c);
  absl::Status Error(absl::string_view sentence) const;
  bool IsHeader() const { return column_index_ < 0; }

  const std::string column_;
  const size_t max_document_bytes_;
  State state_ = State::kFieldStart;
  std::string field_;
  std::vector<std::string> header_;
  RawDocument document_;       // of this record; line 0 = its field was not met yet
  int64_t column_index_ = -1;  // -1 until the first record has ended
  int64_t field_index_ = 0;
  bool is_empty_line_ = true;
  int64_t line_ = 1;
  int64_t record_line_ = 1;
};

}  // namespace tenor

#endif  // TENOR_DATA_CSV_SPLITTER_H_

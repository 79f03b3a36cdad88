#ifndef TENOR_DATA_SEPARATOR_H_
#define TENOR_DATA_SEPARATOR_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace tenor {

// How the documents of an input file are told apart.
struct Separator {
  enum class Kind {
    kBlankLine,  // "blank": one or more lines of white space alone
    kTextLine,   // "line:%": a line that is exactly `text`
    kLine,       // "line": every line is a document
    kCsv,        // "csv:COLUMN": one record a document (RFC 4180), first record = names
    kJsonLines,  // "jsonl:COLUMN": one object a line
  };

  Kind kind = Kind::kBlankLine;
  std::string text;  // the separator line or the column's name

  bool operator==(const Separator&) const = default;
};

// InvalidArgument names the five forms.
absl::StatusOr<Separator> ParseSeparator(absl::string_view name);

// The form that ParseSeparator reads and dataset.textproto holds.
std::string SeparatorName(const Separator& separator);

}  // namespace tenor

#endif  // TENOR_DATA_SEPARATOR_H_

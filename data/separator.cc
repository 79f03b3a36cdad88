#include "data/separator.h"

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"

namespace tenor {

absl::StatusOr<Separator> ParseSeparator(absl::string_view name) {
  if (name == "blank") return Separator{Separator::Kind::kBlankLine};
  if (name == "line") return Separator{Separator::Kind::kLine};
  absl::string_view rest = name;
  if (absl::ConsumePrefix(&rest, "line:") && !rest.empty()) {
    return Separator{Separator::Kind::kTextLine, std::string(rest)};
  }
  if (absl::ConsumePrefix(&rest, "csv:") && !rest.empty()) {
    return Separator{Separator::Kind::kCsv, std::string(rest)};
  }
  if (absl::ConsumePrefix(&rest, "jsonl:") && !rest.empty()) {
    return Separator{Separator::Kind::kJsonLines, std::string(rest)};
  }
  return absl::InvalidArgumentError(
      absl::StrCat("separator \"", absl::CHexEscape(name.substr(0, 64)),
                   "\" is unknown; allowed are blank, line, line:TEXT, csv:COLUMN, jsonl:COLUMN"));
}

std::string SeparatorName(const Separator& separator) {
  switch (separator.kind) {
    case Separator::Kind::kBlankLine:
      return "blank";
    case Separator::Kind::kTextLine:
      return absl::StrCat("line:", separator.text);
    case Separator::Kind::kLine:
      return "line";
    case Separator::Kind::kCsv:
      return absl::StrCat("csv:", separator.text);
    case Separator::Kind::kJsonLines:
      return absl::StrCat("jsonl:", separator.text);
  }
  return "";
}

}  // namespace tenor

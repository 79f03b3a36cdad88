#include "proto/field_checks.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"

namespace tenor {
namespace {

bool IsNameCharacter(char c) {
  return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '_' || c == '-';
}

// For an error's sentence: bounded and without control characters.
std::string Quoted(absl::string_view value) {
  return absl::StrCat("\"", absl::CHexEscape(value.substr(0, 100)), "\"");
}

}  // namespace

void FieldChecks::That(bool holds, absl::string_view field, absl::string_view sentence) {
  if (holds || first_.has_value()) return;
  first_ = Violation{absl::StrCat(prefix_, field), std::string(sentence)};
}

void FieldChecks::Integer(absl::string_view field, int64_t value, int64_t low, int64_t high) {
  if (value >= low && value <= high) return;
  That(false, field, absl::StrCat("is ", value, "; allowed are ", low, " to ", high));
}

void FieldChecks::Number(absl::string_view field, double value, double low, double high) {
  if (value >= low && value <= high) return;
  That(false, field, absl::StrCat("is ", value, "; allowed are ", low, " to ", high));
}

void FieldChecks::Positive(absl::string_view field, double value) {
  if (value > 0 && std::isfinite(value)) return;
  That(false, field, absl::StrCat("is ", value, "; allowed are numbers above 0"));
}

void FieldChecks::Name(absl::string_view field, absl::string_view value, size_t longest) {
  const bool holds = !value.empty() && value.size() <= longest &&
                     std::all_of(value.begin(), value.end(), IsNameCharacter);
  if (holds) return;
  That(false, field,
       absl::StrCat("is ", Quoted(value), "; allowed are 1 to ", longest,
                    " characters of A-Z a-z 0-9 . _ -"));
}

void FieldChecks::Part(absl::string_view field, const std::optional<Violation>& violation) {
  if (!violation.has_value()) return;
  That(false, absl::StrCat(field, ".", violation->field), violation->sentence);
}

}  // namespace tenor

#include "proto/tunable_words.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/status.h"
#include "proto/tunable_ranges.h"
#include "proto/validate.h"

namespace tenor {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::EnumValueDescriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Reflection;

const Descriptor& TunablesType() { return *spec::Tunables::descriptor(); }

// Levenshtein's distance.
size_t EditDistance(absl::string_view a, absl::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = std::exchange(row[0], i + 1);
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = std::exchange(row[j + 1], std::min({replaced, row[j] + 1, row[j + 1] + 1}));
    }
  }
  return row.back();
}

std::string NearestName(absl::string_view name) {
  std::string nearest;
  size_t best = std::numeric_limits<size_t>::max();
  for (int i = 0; i < TunablesType().field_count(); ++i) {
    const std::string& candidate = TunablesType().field(i)->name();
    const size_t distance = EditDistance(name.substr(0, 64), candidate);
    if (distance >= best) continue;
    best = distance;
    nearest = candidate;
  }
  return nearest;
}

std::string Shown(absl::string_view text) { return absl::CHexEscape(text.substr(0, 64)); }

// ---------------------------------------------------------------- what is allowed

std::string AllowedNumbers(const FieldDescriptor& field) {
  const bool whole = field.cpp_type() != FieldDescriptor::CPPTYPE_DOUBLE;
  for (const TunableRange& range : kTunableRanges) {
    if (range.field_number != field.number()) continue;
    return absl::StrCat(whole ? "whole numbers from " : "numbers from ", range.low, " to ",
                        static_cast<int64_t>(range.high));
  }
  return "numbers";
}

std::string AllowedValues(const FieldDescriptor& field) {
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_BOOL:
      return "true, false";
    case FieldDescriptor::CPPTYPE_ENUM:
      return "fp32, fp16";
    default:
      return AllowedNumbers(field);
  }
}

// ---------------------------------------------------------------- values

bool SetEnum(const FieldDescriptor& field, absl::string_view text, spec::Tunables* tunables) {
  const EnumValueDescriptor* value =
      field.enum_type()->FindValueByName(absl::AsciiStrToUpper(text));
  if (value == nullptr) return false;
  tunables->GetReflection()->SetEnum(tunables, &field, value);
  return true;
}

template <typename Value, typename Parse, typename Set>
bool SetParsed(const FieldDescriptor& field, absl::string_view text, spec::Tunables* tunables,
               Parse parse, Set set) {
  Value value;
  if (!parse(text, &value)) return false;
  (tunables->GetReflection()->*set)(tunables, &field, value);
  return true;
}

bool ParseBool(absl::string_view text, bool* value) {
  *value = text == "true";
  return *value || text == "false";
}

template <typename Integer>
bool ParseInteger(absl::string_view text, Integer* value) {
  return absl::SimpleAtoi(text, value);
}

bool SetValue(const FieldDescriptor& field, absl::string_view text, spec::Tunables* tunables) {
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_ENUM:
      return SetEnum(field, text, tunables);
    case FieldDescriptor::CPPTYPE_BOOL:
      return SetParsed<bool>(field, text, tunables, ParseBool, &Reflection::SetBool);
    case FieldDescriptor::CPPTYPE_INT32:
      return SetParsed<int32_t>(field, text, tunables, ParseInteger<int32_t>,
                                &Reflection::SetInt32);
    case FieldDescriptor::CPPTYPE_INT64:
      return SetParsed<int64_t>(field, text, tunables, ParseInteger<int64_t>,
                                &Reflection::SetInt64);
    default:
      return SetParsed<double>(field, text, tunables, absl::SimpleAtod, &Reflection::SetDouble);
  }
}

std::string ValueText(const spec::Tunables& tunables, const FieldDescriptor& field) {
  const Reflection& reflection = *tunables.GetReflection();
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_ENUM:
      return absl::AsciiStrToLower(spec::Codec::Id_Name(
          static_cast<spec::Codec::Id>(reflection.GetEnumValue(tunables, &field))));
    case FieldDescriptor::CPPTYPE_BOOL:
      return reflection.GetBool(tunables, &field) ? "true" : "false";
    case FieldDescriptor::CPPTYPE_INT32:
      return absl::StrCat(reflection.GetInt32(tunables, &field));
    case FieldDescriptor::CPPTYPE_INT64:
      return absl::StrCat(reflection.GetInt64(tunables, &field));
    default:
      return absl::StrCat(reflection.GetDouble(tunables, &field));
  }
}

absl::Status RefusedValue(const FieldDescriptor& field, absl::string_view value) {
  return absl::InvalidArgumentError(
      absl::StrCat(field.name(), " is ", Shown(value), "; allowed are ", AllowedValues(field)));
}

absl::Status AddWord(absl::string_view word, spec::Tunables* tunables) {
  const size_t equals = word.find('=');
  if (equals == absl::string_view::npos) {
    return absl::InvalidArgumentError(
        absl::StrCat("\"", Shown(word), "\" is no setting; write name=value"));
  }
  const absl::string_view name = word.substr(0, equals);
  const absl::string_view value = word.substr(equals + 1);
  const FieldDescriptor* field = TunablesType().FindFieldByName(std::string(name));
  if (field == nullptr) {
    return absl::InvalidArgumentError(absl::StrCat("there is no tunable \"", Shown(name),
                                                   "\"; the nearest name is ", NearestName(name)));
  }
  if (tunables->GetReflection()->HasField(*tunables, field)) {
    return absl::InvalidArgumentError(absl::StrCat(field->name(), " is given twice; give it once"));
  }
  if (!SetValue(*field, value, tunables) || FindViolation(*tunables).has_value()) {
    return RefusedValue(*field, value);
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<spec::Tunables> ParseTunables(const std::vector<std::string>& words) {
  if (words.empty()) {
    return absl::InvalidArgumentError("no setting is given; write name=value");
  }
  spec::Tunables tunables;
  for (const std::string& word : words) TENOR_RETURN_IF_ERROR(AddWord(word, &tunables));
  return tunables;
}

spec::Tunables MergeTunables(const spec::Tunables& accepted, const spec::Tunables& change) {
  spec::Tunables merged = accepted;
  merged.MergeFrom(change);
  return merged;
}

std::vector<std::string> TunableWords(const spec::Tunables& tunables) {
  std::vector<std::string> words;
  for (int i = 0; i < TunablesType().field_count(); ++i) {
    const FieldDescriptor& field = *TunablesType().field(i);
    if (!tunables.GetReflection()->HasField(tunables, &field)) continue;
    words.push_back(absl::StrCat(field.name(), "=", ValueText(tunables, field)));
  }
  return words;
}

std::vector<std::string> DescribeChange(const spec::Tunables& accepted,
                                        const spec::Tunables& change) {
  std::vector<std::string> lines;
  for (int i = 0; i < TunablesType().field_count(); ++i) {
    const FieldDescriptor& field = *TunablesType().field(i);
    if (!change.GetReflection()->HasField(change, &field)) continue;
    const std::string from = accepted.GetReflection()->HasField(accepted, &field)
                                 ? ValueText(accepted, field)
                                 : "absent";
    const std::string to = ValueText(change, field);
    if (from != to) lines.push_back(absl::StrCat(field.name(), ": ", from, " -> ", to));
  }
  return lines;
}

}  // namespace tenor

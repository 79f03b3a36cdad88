#include "data/json_text.h"

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "data/utf8.h"

namespace tenor {
namespace {

constexpr int kMaxDepth = 64;

// Brackets open at once outside of strings. The parser keeps a stack of its own but destroys values
// by recursion.
int Depth(absl::string_view text) {
  int depth = 0;
  int deepest = 0;
  bool in_string = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') in_string = !in_string;
    if (c == '\\' && in_string) ++i;
    if (in_string) continue;
    if (c == '{' || c == '[') deepest = std::max(deepest, ++depth);
    if (c == '}' || c == ']') --depth;
  }
  return deepest;
}

}  // namespace

absl::StatusOr<std::string> JsonText(absl::string_view line, absl::string_view member) {
  const std::string text = ReplaceInvalidUtf8(line);
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) return "";
  if (Depth(text) > kMaxDepth) {
    return absl::InvalidArgumentError("the line has more than 64 brackets open at once");
  }
  const nlohmann::json object = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!object.is_object()) {
    return absl::InvalidArgumentError("the line is no JSON object; each line must be one");
  }
  const auto value = object.find(std::string(member));
  if (value == object.end()) {
    return absl::InvalidArgumentError(absl::StrCat("the object has no member \"", member, "\""));
  }
  if (value->is_null()) return "";
  if (!value->is_string()) {
    return absl::InvalidArgumentError(
        absl::StrCat("member \"", member, "\" is no text but ", value->type_name()));
  }
  return *value->get_ptr<const std::string*>();
}

}  // namespace tenor

#include "proto/text_place.h"

#include <algorithm>

#include "absl/strings/match.h"

namespace tenor {
namespace {

constexpr int kTabWidth = 8;

TextPlace After(TextPlace place, char c) {
  if (c == '\n') return {place.line + 1, 0};
  if (c == '\t') return {place.line, place.column + kTabWidth - place.column % kTabWidth};
  return {place.line, place.column + 1};
}

bool IsBefore(TextPlace a, TextPlace b) {
  return a.line != b.line ? a.line < b.line : a.column < b.column;
}

// The name between the quotes that follow `start` in `message`; empty if there is none.
absl::string_view QuotedAfter(absl::string_view message, absl::string_view start) {
  const size_t at = message.find(start);
  if (at == absl::string_view::npos) return "";
  const absl::string_view rest = message.substr(at + start.size());
  return rest.substr(0, std::min(rest.find('"'), rest.size()));
}

}  // namespace

TextPlace PlaceOf(absl::string_view text, size_t offset) {
  TextPlace place;
  for (const char c : text.substr(0, offset)) place = After(place, c);
  return place;
}

size_t OffsetOf(absl::string_view text, TextPlace place) {
  TextPlace here;
  size_t offset = 0;
  while (offset < text.size() && IsBefore(here, place)) here = After(here, text[offset++]);
  return offset;
}

TextPlace PlaceOfQuotedName(absl::string_view text, TextPlace place, absl::string_view message) {
  for (const absl::string_view start : {"has no field named \"", "Non-repeated field \"",
                                        "Unknown enumeration value of \"", "Field \""}) {
    const absl::string_view name = QuotedAfter(message, start);
    if (name.empty()) continue;
    const size_t at = text.substr(0, OffsetOf(text, place)).rfind(name);
    return at == absl::string_view::npos ? place : PlaceOf(text, at);
  }
  return place;
}

}  // namespace tenor

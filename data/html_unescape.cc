#include "data/html_unescape.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>

#include "absl/strings/ascii.h"
#include "data/utf8.h"

namespace tenor {
namespace {

struct HtmlEntity {
  const char* name;  // behind the "&"; some end with ";"
  const char* text;
};

struct ReplacedReference {
  uint32_t number;
  uint32_t code_point;
};

#include "data/html_entities.inc"

constexpr uint32_t kPastUnicode = 0x110000;
constexpr int kLongestName = 32;  // characters, without the semicolon

const char* FindEntity(absl::string_view name) {
  const auto* entity = std::lower_bound(
      std::begin(kEntities), std::end(kEntities), name,
      [](const HtmlEntity& a, absl::string_view b) { return absl::string_view(a.name) < b; });
  if (entity == std::end(kEntities) || entity->name != name) return nullptr;
  return entity->text;
}

// ---------------------------------------------------------------- numeric references

void AppendNumber(uint32_t number, std::string* out) {
  const auto* replaced =
      std::lower_bound(std::begin(kReplacedReferences), std::end(kReplacedReferences), number,
                       [](const ReplacedReference& a, uint32_t b) { return a.number < b; });
  if (replaced != std::end(kReplacedReferences) && replaced->number == number) {
    return AppendUtf8(replaced->code_point, out);
  }
  if ((number >= 0xd800 && number <= 0xdfff) || number >= kPastUnicode) {
    return AppendUtf8(kReplacementCharacter, out);
  }
  const bool vanishes =
      std::binary_search(std::begin(kVanishingReferences), std::end(kVanishingReferences), number);
  if (!vanishes) AppendUtf8(number, out);
}

// -1 for what is no digit of that base.
int DigitOf(char c, int base) {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = absl::ascii_tolower(static_cast<unsigned char>(c));
  return base == 16 && lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

// `text` begins behind "&#". Appends what the reference means and returns its bytes, semicolon
// included; 0 and nothing appended if it is none.
size_t AppendNumericReference(absl::string_view text, std::string* out) {
  const bool is_hexadecimal = !text.empty() && (text[0] == 'x' || text[0] == 'X');
  const int base = is_hexadecimal ? 16 : 10;
  const size_t start = is_hexadecimal ? 1 : 0;
  size_t end = start;
  uint32_t number = 0;
  for (; end < text.size() && DigitOf(text[end], base) >= 0; ++end) {
    const auto digit = static_cast<uint32_t>(DigitOf(text[end], base));
    number = std::min(number * static_cast<uint32_t>(base) + digit, kPastUnicode);
  }
  if (end == start) return 0;
  AppendNumber(number, out);
  return end < text.size() && text[end] == ';' ? end + 1 : end;
}

// ---------------------------------------------------------------- named references

bool EndsName(char c) {
  return absl::string_view("\t\n\f <&#;").find(c) != absl::string_view::npos;
}

// Bytes of the name at the start of `text`: at most 32 characters, then a semicolon if one follows.
size_t NameBytes(absl::string_view text) {
  size_t end = 0;
  int characters = 0;
  for (; end < text.size() && !EndsName(text[end]); ++end) {
    if (!IsContinuationByte(text[end]) && ++characters > kLongestName) break;
  }
  if (end > 0 && end < text.size() && text[end] == ';') ++end;
  return end;
}

// The longest prefix of `name` that is an entity, and the rest as it stands.
void AppendNamedReference(absl::string_view name, std::string* out) {
  if (const char* text = FindEntity(name)) {
    out->append(text);
    return;
  }
  for (size_t length = std::min<size_t>(name.size() - 1, kLongestName); length > 1; --length) {
    const char* text = FindEntity(name.substr(0, length));
    if (text == nullptr) continue;
    out->append(text);
    out->append(name.data() + length, name.size() - length);
    return;
  }
  out->push_back('&');
  out->append(name.data(), name.size());
}

// `text` begins behind "&". Appends what stands for it and returns the bytes taken from `text`.
size_t AppendReference(absl::string_view text, std::string* out) {
  if (!text.empty() && text[0] == '#') {
    const size_t taken = AppendNumericReference(text.substr(1), out);
    if (taken > 0) return taken + 1;
  }
  const size_t name = NameBytes(text);
  if (name > 0) {
    AppendNamedReference(text.substr(0, name), out);
  } else {
    out->push_back('&');
  }
  return name;
}

}  // namespace

std::string HtmlUnescape(absl::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (true) {
    const size_t ampersand = text.find('&');
    const absl::string_view plain = text.substr(0, ampersand);
    out.append(plain.data(), plain.size());
    if (ampersand == absl::string_view::npos) return out;
    text.remove_prefix(ampersand + 1);
    text.remove_prefix(AppendReference(text, &out));
  }
}

}  // namespace tenor

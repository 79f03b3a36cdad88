#include "data/utf8.h"

#include <cstddef>

namespace tenor {
namespace {

// What may follow the first byte of a character (Unicode 15, table 3-7).
struct Sequence {
  size_t length = 0;  // bytes, 0 = no character begins so
  unsigned char second_low = 0x80;
  unsigned char second_high = 0xbf;
};

Sequence SequenceOf(unsigned char first) {
  if (first < 0x80) return {1};
  if (first < 0xc2 || first > 0xf4) return {0};
  if (first < 0xe0) return {2};
  if (first == 0xe0) return {3, 0xa0, 0xbf};
  if (first == 0xed) return {3, 0x80, 0x9f};
  if (first < 0xf0) return {3};
  if (first == 0xf0) return {4, 0x90, 0xbf};
  if (first == 0xf4) return {4, 0x80, 0x8f};
  return {4};
}

// Bytes at the start of `text`, which is not empty, that are a character or begin like one.
struct Subpart {
  size_t bytes;
  bool whole;
};

Subpart SubpartOf(absl::string_view text) {
  const Sequence sequence = SequenceOf(static_cast<unsigned char>(text[0]));
  if (sequence.length == 0) return {1, false};
  size_t bytes = 1;
  for (; bytes < sequence.length; ++bytes) {
    if (bytes == text.size()) return {bytes, false};
    const auto byte = static_cast<unsigned char>(text[bytes]);
    const bool fits = bytes == 1 ? byte >= sequence.second_low && byte <= sequence.second_high
                                 : byte >= 0x80 && byte <= 0xbf;
    if (!fits) return {bytes, false};
  }
  return {bytes, true};
}

// The character that `bytes` encode, 1 to 4 bytes of UTF-8.
uint32_t Decode(absl::string_view bytes) {
  const auto first = static_cast<unsigned char>(bytes[0]);
  if (bytes.size() == 1) return first;
  uint32_t code_point = first & (0xffu >> (bytes.size() + 1));
  for (const char c : bytes.substr(1)) {
    code_point = (code_point << 6) | (static_cast<unsigned char>(c) & 0x3f);
  }
  return code_point;
}

bool IsWhitespace(uint32_t c) {
  return (c >= 0x09 && c <= 0x0d) || (c >= 0x1c && c <= 0x20) || c == 0x85 || c == 0xa0 ||
         c == 0x1680 || (c >= 0x2000 && c <= 0x200a) || c == 0x2028 || c == 0x2029 || c == 0x202f ||
         c == 0x205f || c == 0x3000;
}

// Bytes of the last character of `text`, which is not empty.
size_t LastCharacterBytes(absl::string_view text) {
  size_t bytes = 1;
  while (bytes < text.size() && bytes < 4 && IsContinuationByte(text[text.size() - bytes])) ++bytes;
  return bytes;
}

}  // namespace

void AppendUtf8(uint32_t c, std::string* out) {
  const auto continuation = [c](int shift) {
    return static_cast<char>(0x80 | ((c >> shift) & 0x3f));
  };
  if (c < 0x80) {
    out->push_back(static_cast<char>(c));
  } else if (c < 0x800) {
    out->append({static_cast<char>(0xc0 | (c >> 6)), continuation(0)});
  } else if (c < 0x10000) {
    out->append({static_cast<char>(0xe0 | (c >> 12)), continuation(6), continuation(0)});
  } else {
    out->append(
        {static_cast<char>(0xf0 | (c >> 18)), continuation(12), continuation(6), continuation(0)});
  }
}

std::string ReplaceInvalidUtf8(absl::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Subpart part = SubpartOf(text);
    if (part.whole) {
      out.append(text.data(), part.bytes);
    } else {
      AppendUtf8(kReplacementCharacter, &out);
    }
    text.remove_prefix(part.bytes);
  }
  return out;
}

absl::string_view StripUnicodeWhitespace(absl::string_view text) {
  while (!text.empty()) {
    const absl::string_view first = text.substr(0, SubpartOf(text).bytes);
    if (!IsWhitespace(Decode(first))) break;
    text.remove_prefix(first.size());
  }
  while (!text.empty()) {
    const absl::string_view last = text.substr(text.size() - LastCharacterBytes(text));
    if (!IsWhitespace(Decode(last))) break;
    text.remove_suffix(last.size());
  }
  return text;
}

}  // namespace tenor

#ifndef TENOR_DATA_UTF8_H_
#define TENOR_DATA_UTF8_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"

namespace tenor {

inline constexpr uint32_t kReplacementCharacter = 0xfffd;

// Second and later bytes of a character.
inline bool IsContinuationByte(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

// REQUIRES: code_point < 0x110000 and no surrogate.
void AppendUtf8(uint32_t code_point, std::string* out);

// `text` with every byte sequence that is no UTF-8 replaced by U+FFFD: one for each longest run
// that begins like a character (Unicode 15, section 3.9, "maximal subpart"), as Python's
// decode(errors="replace") does. Pure.
std::string ReplaceInvalidUtf8(absl::string_view text);

// Without the white space of Python's str.strip at both ends. `text` is UTF-8; the result lies in
// it.
absl::string_view StripUnicodeWhitespace(absl::string_view text);

}  // namespace tenor

#endif  // TENOR_DATA_UTF8_H_

#ifndef TENOR_BASE_UTF8_H_
#define TENOR_BASE_UTF8_H_

#include <cstddef>
#include <string>

#include "absl/strings/string_view.h"

namespace tenor {

// The bytes (1 to 4) of the well-formed sequence at the start of `text` (Unicode 15, table 3-7); 0
// if there is none or `text` is empty.
size_t Utf8SequenceLength(absl::string_view text);

// Each byte that belongs to no well-formed sequence becomes U+FFFD.
std::string ReplaceBadUtf8(absl::string_view text);

}  // namespace tenor

#endif  // TENOR_BASE_UTF8_H_

#ifndef TENOR_CLI_PRINTABLE_H_
#define TENOR_CLI_PRINTABLE_H_

#include <string>

#include "absl/strings/string_view.h"

namespace tenor {

// Text of others for a terminal: control characters (C0, DEL, C1) and bytes that are no UTF-8
// become
// "\x1b"; with keep_lines, line feeds and tabs stay.
std::string Printable(absl::string_view text, bool keep_lines = false);

// "1.5 KiB", "64 B", "2.0 GiB".
std::string BytesText(double bytes);

// "950 ms", "12.3 s", "4m10s", "2h05m".
std::string SecondsText(double seconds);

// "12345", "123.4k", "5.67M": three or four digits.
std::string CountText(double count);

}  // namespace tenor

#endif  // TENOR_CLI_PRINTABLE_H_

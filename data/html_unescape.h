#ifndef TENOR_DATA_HTML_UNESCAPE_H_
#define TENOR_DATA_HTML_UNESCAPE_H_

#include <string>

#include "absl/strings/string_view.h"

namespace tenor {

// Replaces character references as Python's html.unescape does: named ones with and without
// semicolon, the longest name that matches, numeric ones with the replacements and gaps of the HTML
// standard. The result is not scanned again. Pure; `text` is UTF-8, the result too (bytes that are
// no UTF-8 pass through).
std::string HtmlUnescape(absl::string_view text);

}  // namespace tenor

#endif  // TENOR_DATA_HTML_UNESCAPE_H_

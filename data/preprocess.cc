#include "data/preprocess.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "data/html_unescape.h"
#include "data/utf8.h"

namespace tenor {

std::string PreprocessOai(absl::string_view document) {
  std::string text = HtmlUnescape(ReplaceInvalidUtf8(document));
  std::replace(text.begin(), text.end(), '\n', ' ');
  const absl::string_view stripped = StripUnicodeWhitespace(text);
  return stripped.empty() ? "" : absl::StrCat("\n ", stripped, " ");
}

}  // namespace tenor

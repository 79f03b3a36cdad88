#ifndef TENOR_DATA_PREPROCESS_H_
#define TENOR_DATA_PREPROCESS_H_

#include <string>

#include "absl/strings/string_view.h"

namespace tenor {

// The bytes that a byte model reads of one document ("oai": Radford, Jozefowicz, Sutskever,
// "Learning to generate reviews and discovering sentiment", 2017, code of the authors): bytes that
// are no UTF-8 become U+FFFD, HTML references are replaced, newlines become spaces, white space at
// both ends goes, and "\n " + text + " " is left. Empty if there is no text. Pure.
std::string PreprocessOai(absl::string_view document);

}  // namespace tenor

#endif  // TENOR_DATA_PREPROCESS_H_

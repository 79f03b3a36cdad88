#ifndef TENOR_DATA_JSON_TEXT_H_
#define TENOR_DATA_JSON_TEXT_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace tenor {

// The text of one member of the JSON object that `line` is; empty for null and for a line of white
// space alone. Bytes that are no UTF-8 become U+FFFD first. InvalidArgument, a clause without
// place, for what is no JSON object, nests deeper than 64, lacks the member or has no text there.
absl::StatusOr<std::string> JsonText(absl::string_view line, absl::string_view member);

}  // namespace tenor

#endif  // TENOR_DATA_JSON_TEXT_H_

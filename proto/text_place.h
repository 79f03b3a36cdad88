#ifndef TENOR_PROTO_TEXT_PLACE_H_
#define TENOR_PROTO_TEXT_PLACE_H_

#include <cstddef>

#include "absl/strings/string_view.h"

// Places in a text as protobuf's tokenizer counts them: from 0, a tab goes on to the next multiple
// of 8 columns.

namespace tenor {

struct TextPlace {
  int line = 0;
  int column = 0;
  bool operator==(const TextPlace&) const = default;
};

// Of the byte at `offset`, or of the end.
TextPlace PlaceOf(absl::string_view text, size_t offset);

// The first byte that is not before `place`.
size_t OffsetOf(absl::string_view text, TextPlace place);

// Protobuf's parser reports some errors at the token behind the one that is wrong, which may stand
// on a later line. The place of the name that `message` quotes, where it stands last before
// `place`; `place` itself for every other error.
TextPlace PlaceOfQuotedName(absl::string_view text, TextPlace place, absl::string_view message);

}  // namespace tenor

#endif  // TENOR_PROTO_TEXT_PLACE_H_

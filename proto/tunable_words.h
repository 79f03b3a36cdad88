#ifndef TENOR_PROTO_TUNABLE_WORDS_H_
#define TENOR_PROTO_TUNABLE_WORDS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "proto/spec.pb.h"

// Tunables as people write them: "accumulation_steps=8 push_codec=fp32". Pure functions.

namespace tenor {

// One field a word; only the named ones are present in the result, which is valid. InvalidArgument,
// one line, for a word without "=", a name that does not exist (with the nearest one), a value of
// the wrong type or out of range (with what is allowed), a name given twice, no word at all.
absl::StatusOr<spec::Tunables> ParseTunables(const std::vector<std::string>& words);

// `accepted` with the fields that are present in `change`.
spec::Tunables MergeTunables(const spec::Tunables& accepted, const spec::Tunables& change);

// The fields that are present: "accumulation_steps=8", in the order of spec.proto.
std::vector<std::string> TunableWords(const spec::Tunables& tunables);

// One entry a field that `change` has with another value than `accepted`:
// "accumulation_steps: 4 -> 8".
std::vector<std::string> DescribeChange(const spec::Tunables& accepted,
                                        const spec::Tunables& change);

}  // namespace tenor

#endif  // TENOR_PROTO_TUNABLE_WORDS_H_

#ifndef TENOR_PROTO_PARSE_H_
#define TENOR_PROTO_PARSE_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "proto/spec.pb.h"
#include "proto/validate.h"

// Text files of the messages of spec.proto. Pure functions of the text; `file_name` is only named
// in errors. Every error is InvalidArgument and one line, "FILE:LINE:COLUMN: what is wrong",
// counted from 1: an unknown field, a wrong type, a repeated field, two members of a oneof, a value
// that validation refuses. A field that is missing is reported where its parent stands.

namespace tenor {

// Longest text that is taken.
inline constexpr size_t kMaxTextBytes = size_t{64} << 20;

// With defaults filled in.
absl::StatusOr<spec::JobSpec> ParseJobSpec(absl::string_view text, absl::string_view file_name,
                                           DataReference reference = DataReference::kDigest);

absl::StatusOr<spec::Manifest> ParseManifest(absl::string_view text, absl::string_view file_name);

absl::StatusOr<spec::LineageClaim> ParseLineageClaim(absl::string_view text,
                                                     absl::string_view file_name);

absl::StatusOr<spec::DataSet> ParseDataSet(absl::string_view text, absl::string_view file_name);

// Types only, no validation.
absl::StatusOr<spec::Endpoints> ParseEndpoints(absl::string_view text, absl::string_view file_name);

// The canonical text: fields in the order of their numbers, two spaces of indentation, shortest
// numbers that read back equal. Parsing it gives the message again.
std::string PrintText(const google::protobuf::Message& message);

// The same in one line, for sentences.
std::string PrintLine(const google::protobuf::Message& message);

}  // namespace tenor

#endif  // TENOR_PROTO_PARSE_H_

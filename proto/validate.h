#ifndef TENOR_PROTO_VALIDATE_H_
#define TENOR_PROTO_VALIDATE_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "proto/spec.pb.h"

// What a message of spec.proto must fulfil beyond its types: one pure validation each. All take any
// input and report the first field that is wrong.

namespace tenor {

// One wrong field. As text: "batch.micro_batch is 0; allowed are 1 to 65536".
struct Violation {
  std::string field;     // path with dots from the message down: "batch.micro_batch"
  std::string sentence;  // goes on behind the path: value, what is allowed or missing
};

// OK without a violation, else InvalidArgument with its text.
absl::Status ViolationStatus(const std::optional<Violation>& violation);

// How data.text may name its data set.
enum class DataReference {
  kDigest,        // digest and bytes: what servers and workers take
  kPathOrDigest,  // or path alone, before `tenor local` has looked the folder up
};

// Largest number of elements in a chunk: 4 MiB of FP32, the largest payload of a frame.
inline constexpr int64_t kMaxChunkElements = int64_t{1} << 20;

// `job` with every absent field that has a default filled in. Total and idempotent: what is out of
// range or contradictory stays as it is. Not filled in: chunk_elements (0 is resolved where the
// parameter count is known) and segment_bytes while data.text.bytes is unknown.
spec::JobSpec FillDefaults(spec::JobSpec job);

// Of the job with defaults filled in.
std::optional<Violation> FindViolation(const spec::JobSpec& job,
                                       DataReference reference = DataReference::kDigest);

// All defaults of Tunables.
spec::Tunables DefaultTunables();

// Ranges of the fields that are present. An empty message is valid.
std::optional<Violation> FindViolation(const spec::Tunables& tunables);

// Also that every field is present.
std::optional<Violation> FindViolationOfAccepted(const spec::Tunables& tunables);

// Against the valid job that the directive belongs to, with defaults filled in: leases lie inside
// the data, lanes inside the micro-batch.
std::optional<Violation> FindViolation(const spec::Directive& directive, const spec::JobSpec& job);

// Includes job, record, layout and the job's hash; not the contents of the files.
std::optional<Violation> FindViolation(const spec::Manifest& manifest);

// Against the valid job with defaults filled in.
std::optional<Violation> FindViolation(const spec::Record& record, const spec::JobSpec& job);

// A claim without base is void, which is no violation.
std::optional<Violation> FindViolation(const spec::LineageClaim& claim);

std::optional<Violation> FindViolation(const spec::DataSet& data_set);

}  // namespace tenor

#endif  // TENOR_PROTO_VALIDATE_H_

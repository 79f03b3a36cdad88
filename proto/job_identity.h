#ifndef TENOR_PROTO_JOB_IDENTITY_H_
#define TENOR_PROTO_JOB_IDENTITY_H_

#include <cstdint>
#include <string>
#include <vector>

#include "proto/spec.pb.h"

// Whether two JobSpecs are the same job, and what differs. Pure functions.

namespace tenor {

// 64 bits over the deterministic serialisation of the job with defaults filled in, without
// data.text.path: equal for a field that is absent and one that states its default. Part of the
// handshake and of every manifest; stable across builds as long as spec.proto only gains fields.
uint64_t JobHash(const spec::JobSpec& job);

// 16 hexadecimal digits.
std::string JobHashText(uint64_t hash);

// One line a field whose value differs, defaults filled in on both sides, in the order of
// spec.proto: "schedule.linear.peak: 0.003 -> 0.001", "schedule.constant: absent -> { peak: 0.1 }".
// Empty for jobs with the same hash.
std::vector<std::string> DiffJobSpecs(const spec::JobSpec& from, const spec::JobSpec& to);

}  // namespace tenor

#endif  // TENOR_PROTO_JOB_IDENTITY_H_

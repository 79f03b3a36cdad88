#ifndef TENOR_SERVER_RUNNER_PARAMETER_SPACE_H_
#define TENOR_SERVER_RUNNER_PARAMETER_SPACE_H_

#include <cstddef>
#include <functional>
#include <span>

#include "absl/status/statusor.h"
#include "model/chunk_table.h"
#include "model/layout.h"
#include "proto/spec.pb.h"

namespace tenor {

// What a server knows of the model: where parameters lie, how they are cut, what version 0 is.
// Plain values; thread-compatible.
struct ParameterSpace {
  Layout layout;
  ChunkTable chunks;
  // Writes elements [begin, begin + out.size()) of version 0. Thread-safe.
  std::function<void(size_t begin, std::span<float> out)> initial;
};

// Errors: InvalidArgument (no model, sizes out of range, more than 2^31 - 1 chunks).
absl::StatusOr<ParameterSpace> MakeParameterSpace(const spec::JobSpec& job);

}  // namespace tenor

#endif  // TENOR_SERVER_RUNNER_PARAMETER_SPACE_H_

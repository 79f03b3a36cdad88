#ifndef TENOR_SERVER_MEMORY_PLAN_H_
#define TENOR_SERVER_MEMORY_PLAN_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "base/resource_limits.h"
#include "server/runner/parameter_space.h"

namespace tenor {

// What one server will hold, in bytes. Plain values.
struct MemoryPlan {
  uint64_t parameters = 0;     // own elements
  uint64_t state = 0;          // masters, moments, sums
  uint64_t payloads = 0;       // two encoded versions at most
  uint64_t contributions = 0;  // that may wait, at min_workers members
  uint64_t total() const { return state + payloads + contributions; }
};

// Payloads are counted as FP32, the largest codec.
MemoryPlan PlanMemory(const ParameterSpace& space, int32_t shard, int32_t shards, int64_t members,
                      int64_t push_credit_bytes);

// One line for people.
std::string DescribePlan(const MemoryPlan& plan);

// ResourceExhausted, with the numbers, if the plan is larger than what this process may hold or
// than what is free. Unknown limits refuse nothing.
absl::Status CheckPlan(const MemoryPlan& plan, const MemoryLimits& limits);

}  // namespace tenor

#endif  // TENOR_SERVER_MEMORY_PLAN_H_

#include "server/memory_plan.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "server/runner/engine.h"

namespace tenor {
namespace {

std::string Mebibytes(uint64_t bytes) {
  return absl::StrFormat("%.1f MiB", static_cast<double>(bytes) / (1 << 20));
}

}  // namespace

MemoryPlan PlanMemory(const ParameterSpace& space, int32_t shard, int32_t shards, int64_t members,
                      int64_t push_credit_bytes) {
  MemoryPlan plan;
  plan.state = Engine::BytesNeeded(space, shard, shards);
  plan.parameters = plan.state / (4 * sizeof(float));
  plan.payloads = 2 * plan.parameters * sizeof(float);
  // A member has no more to send than all of its gradient.
  const uint64_t waiting = std::min<uint64_t>(push_credit_bytes, plan.parameters * sizeof(float));
  plan.contributions = waiting * static_cast<uint64_t>(members);
  return plan;
}

std::string DescribePlan(const MemoryPlan& plan) {
  return absl::StrCat("memory plan: ", plan.parameters,
                      " parameters here; masters, moments and sums ", Mebibytes(plan.state),
                      ", payloads at most ", Mebibytes(plan.payloads),
                      ", waiting contributions at most ", Mebibytes(plan.contributions), ": ",
                      Mebibytes(plan.total()));
}

absl::Status CheckPlan(const MemoryPlan& plan, const MemoryLimits& limits) {
  if (limits.total != 0 && plan.total() > limits.total) {
    return absl::ResourceExhaustedError(
        absl::StrCat("this server needs ", Mebibytes(plan.total()), ", this process may hold ",
                     Mebibytes(limits.total), ": use more servers or a larger machine"));
  }
  if (limits.free != 0 && plan.total() > limits.free) {
    return absl::ResourceExhaustedError(
        absl::StrCat("this server needs ", Mebibytes(plan.total()), ", ", Mebibytes(limits.free),
                     " are free: end other processes, or use more servers"));
  }
  return absl::OkStatus();
}

}  // namespace tenor

#ifndef TENOR_TESTS_SIM_JOB_H_
#define TENOR_TESTS_SIM_JOB_H_

#include <string>

#include "server/core/coordinator_config.h"
#include "server/core/shard/events.h"
#include "tests/sim/plan.h"
#include "tests/sim/process.h"
#include "worker/session/events.h"

namespace tenor::sim {

// What the processes of a plan are configured with. Waits are shorter than a real job's, so that a
// seed is cheap; their order is the same. Pure.

CoordinatorConfig CoordinatorConfigOf(const Plan& plan, ProcessNumber process);
shard::Config ShardConfigOf(const Plan& plan, int shard, ProcessNumber process);
session::Config SessionConfigOf(const Plan& plan, int worker, ProcessNumber process);

std::string ServerAddress(int shard);
std::string WorkerName(int worker);

// Size of one encoded contribution.
inline constexpr int64_t kFrameBytes = 100;

// How long a process is told Busy until it exits.
inline constexpr Millis kNameWait = 1500;

}  // namespace tenor::sim

#endif  // TENOR_TESTS_SIM_JOB_H_

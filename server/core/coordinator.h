#ifndef TENOR_SERVER_CORE_COORDINATOR_H_
#define TENOR_SERVER_CORE_COORDINATOR_H_

#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "server/core/coordinator_config.h"
#include "server/core/coordinator_status.h"
#include "server/core/effects.h"
#include "server/core/events.h"

namespace tenor {

// Whether a coordinator can be made from this config. Errors: InvalidArgument (fewer segments than
// lanes, with both numbers; sizes out of range).
absl::Status CheckConfig(const CoordinatorConfig& config);

// The coordinator of a run (docs/protocol.md 9.3): the names, rounds, views, verdicts, checkpoints
// and tunables of one job. A deterministic state machine: equal configs and equal sequences of
// (now, event) give equal effects. It has no clock, thread, socket, file or log.
//
// Every answer of the outside (claim, manifest, shard, worker) is an event that may come late,
// twice or never; what matters is repeated at every Status and every Tick.
//
// After an Exit effect it ignores everything. Single-threaded.
class Coordinator {
 public:
  // REQUIRES: CheckConfig(config) is OK.
  explicit Coordinator(CoordinatorConfig config);
  ~Coordinator();
  Coordinator(const Coordinator&) = delete;
  Coordinator& operator=(const Coordinator&) = delete;

  // The effects of the start: the first claim. Call once, before any Handle.
  std::vector<Effect> Start();

  // `now` is a monotonic duration since the process's start; it never falls. The core's own clock
  // moves at Tick only, by at most two periods, so a paused process accuses nobody.
  std::vector<Effect> Handle(absl::Duration now, const Event& event);

  // For status, metrics and health; valid until the next Handle.
  CoordinatorStatus Describe() const;

 private:
  class Machine;
  std::unique_ptr<Machine> machine_;
};

}  // namespace tenor

#endif  // TENOR_SERVER_CORE_COORDINATOR_H_

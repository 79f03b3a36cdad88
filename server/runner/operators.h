#ifndef TENOR_SERVER_RUNNER_OPERATORS_H_
#define TENOR_SERVER_RUNNER_OPERATORS_H_

#include <functional>
#include <memory>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "proto/spec.pb.h"
#include "server/core/coordinator_status.h"
#include "server/core/effects.h"
#include "server/core/names.h"
#include "server/runner/journal.h"

namespace tenor {

// A run as operators see it, at one moment. Plain values.
struct RunView {
  CoordinatorStatus status;
  absl::Duration step_seconds;  // between the two newest verdicts
  absl::Time last_step_time;    // of the newest applied round; infinite past = none yet
  absl::Time last_checkpoint_time;
};

// What operators may ask server 0, without a transport. Thread-safe, never blocks.
class OperatorService {
 public:
  // Called once, from the coordinator's loop; must not block.
  using Answer = std::function<void(const Reply&)>;
  virtual ~OperatorService() = default;

  // At most one tick old; never null.
  virtual std::shared_ptr<const RunView> View() const = 0;
  virtual Journal& journal() = 0;

  virtual void Set(spec::Tunables change, Version at_step, bool dry_run, Answer answer) = 0;
  virtual void StopRun(std::string reason, Answer answer) = 0;
  virtual void CheckpointNow(Answer answer) = 0;
  virtual void Evict(std::string name, Answer answer) = 0;
};

}  // namespace tenor

#endif  // TENOR_SERVER_RUNNER_OPERATORS_H_

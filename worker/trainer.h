#ifndef TENOR_WORKER_TRAINER_H_
#define TENOR_WORKER_TRAINER_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "absl/status/statusor.h"
#include "server/core/messages.h"

namespace tenor {

struct StepResult {
  bool cancelled = false;  // the rest says nothing
  int64_t samples = 0;
  double loss_sum = 0;  // nats over the samples
  bool finite = true;
  std::vector<Lease> consumption;
};

// Computes a member's gradient of one round: the directive's leases, in accumulation steps of one
// micro-batch each, on weights that stay as they are meanwhile. Implementations: ByteTrainer.
// Single-threaded but for `cancelled`.
class Trainer {
 public:
  struct Progress {
    // A micro-batch is done.
    std::function<void()> micro_batch;
    // gradient[offset, end) is final; decreasing, ends with 0 unless cancelled or failed.
    std::function<void(size_t offset)> final_from;
    // Looked at between micro-batches; set by another thread.
    const std::atomic<bool>* cancelled = nullptr;
  };

  virtual ~Trainer() = default;

  // The weights changed since the last Compute.
  virtual void WeightsChanged() = 0;

  // Every lane replays its warm-up before it goes on: a new lineage.
  virtual void ResetLanes() = 0;

  // Errors: InvalidArgument (leases that are none of this data set's), Unavailable (the data cannot
  // be read), those of the model.
  virtual absl::StatusOr<StepResult> Compute(const Directive& directive,
                                             const Progress& progress) = 0;
};

}  // namespace tenor

#endif  // TENOR_WORKER_TRAINER_H_

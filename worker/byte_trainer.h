#ifndef TENOR_WORKER_BYTE_TRAINER_H_
#define TENOR_WORKER_BYTE_TRAINER_H_

#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "data/lanes.h"
#include "data/text_reader.h"
#include "model/model.h"
#include "proto/spec.pb.h"
#include "worker/node_group.h"
#include "worker/trainer.h"

namespace tenor {

// Trains a model of bytes: micro_batch lanes, each reading its segment window by window with the
// state carried and detached (truncated back-propagation).
//
// The states at the start and at the end of the newest round are kept with their positions. A lane
// goes on from the one that stands where its first lease begins: the end after a round that was
// committed, the start after one that was skipped. Any other lane begins with zero, and in a
// segment's middle with a warm-up replay.
class ByteTrainer : public Trainer {
 public:
  // `job` is valid with defaults filled in; `data` is its data set. Borrowed: all outlive it.
  ByteTrainer(const spec::JobSpec& job, const TextDataSet& data, ByteModel* model,
              NodeGroup* group);

  void WeightsChanged() override { weights_changed_ = true; }
  void ResetLanes() override;
  absl::StatusOr<StepResult> Compute(const Directive& directive,
                                     const Progress& progress) override;

 private:
  struct Lanes {
    LanesState state;
    std::vector<LanePosition> positions;  // [lanes]
  };

  // start_ := for each lane the kept state that stands where its leases begin.
  void ChooseStart(const Directive& directive, const std::vector<spec::Lease>& leases);
  absl::Status RunStep(const std::vector<LaneWindow>& step, StepResult* result);
  absl::Status Replay(const std::vector<LaneWindow>& step);
  ByteWindow View(const LaneBatch& batch, bool with_targets) const;

  const spec::JobSpec job_;
  const LaneReader reader_;
  ByteModel& model_;
  NodeGroup& group_;
  bool weights_changed_ = true;
  Lanes start_;  // of the newest round
  Lanes end_;
  Lanes chosen_;  // scratch of ChooseStart
  LaneBatch batch_;
};

}  // namespace tenor

#endif  // TENOR_WORKER_BYTE_TRAINER_H_

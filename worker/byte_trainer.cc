#include "worker/byte_trainer.h"

#include <utility>

#include "base/status.h"

namespace tenor {
namespace {

spec::Lease ToSpec(const Lease& lease) {
  spec::Lease out;
  out.set_pass(lease.pass);
  out.set_segment(lease.segment);
  out.set_from(lease.from);
  out.set_to(lease.to);
  out.set_lane(lease.lane);
  return out;
}

// Where each lane's first lease begins.
std::vector<LanePosition> FirstPositions(const std::vector<spec::Lease>& leases, int lanes) {
  std::vector<LanePosition> first(lanes);
  for (const spec::Lease& lease : leases) {
    if (lease.lane() < 0 || lease.lane() >= lanes) continue;
    LanePosition& position = first[lease.lane()];
    if (position.pass < 0) position = {lease.pass(), lease.segment(), lease.from()};
  }
  return first;
}

}  // namespace

ByteTrainer::ByteTrainer(const spec::JobSpec& job, const TextDataSet& data, ByteModel* model,
                         NodeGroup* group)
    : job_(job),
      reader_(data, job_),
      model_(*model),
      group_(*group),
      start_{model->NewState(job.batch().micro_batch()), {}},
      end_{start_},
      chosen_{start_} {
  ResetLanes();
}

void ByteTrainer::ResetLanes() {
  start_.positions.assign(job_.batch().micro_batch(), LanePosition());
  end_.positions = start_.positions;
}

void ByteTrainer::ChooseStart(const Directive& directive, const std::vector<spec::Lease>& leases) {
  if (directive.rebuild_lanes) ResetLanes();
  const int lanes = job_.batch().micro_batch();
  const std::vector<LanePosition> wanted = FirstPositions(leases, lanes);
  chosen_.positions.assign(lanes, LanePosition());
  for (int lane = 0; lane < lanes; ++lane) {
    for (const Lanes* kept : {&end_, &start_}) {
      if (wanted[lane].pass < 0 || kept->positions[lane] != wanted[lane]) continue;
      chosen_.state.CopyLane(kept->state, lane, lane);
      chosen_.positions[lane] = wanted[lane];
      break;
    }
  }
  std::swap(start_, chosen_);
}

absl::StatusOr<StepResult> ByteTrainer::Compute(const Directive& directive,
                                                const Progress& progress) {
  StepResult result;
  result.consumption = directive.leases;
  std::vector<spec::Lease> leases;
  for (const Lease& lease : directive.leases) leases.push_back(ToSpec(lease));
  ChooseStart(directive, leases);
  TENOR_ASSIGN_OR_RETURN(
      RoundPlan plan,
      PlanRound(job_, leases, directive.accumulation_steps, start_.positions));
  if (weights_changed_) TENOR_RETURN_IF_ERROR(model_.SetWeights(group_.weights()));
  weights_changed_ = false;

  end_.positions = plan.end;
  end_.state = start_.state;
  TENOR_RETURN_IF_ERROR(model_.BeginStep(group_.gradient()));
  for (const std::vector<LaneWindow>& step : plan.steps) {
    if (progress.cancelled->load(std::memory_order_relaxed)) {
      end_.positions.assign(end_.positions.size(), LanePosition());
      result.cancelled = true;
      return result;
    }
    TENOR_RETURN_IF_ERROR(RunStep(step, &result));
    progress.micro_batch();
  }
  TENOR_RETURN_IF_ERROR(model_.FinishStep(progress.final_from));
  return result;
}

absl::Status ByteTrainer::RunStep(const std::vector<LaneWindow>& step, StepResult* result) {
  TENOR_RETURN_IF_ERROR(Replay(step));
  TENOR_RETURN_IF_ERROR(reader_.FillWindow(step, &batch_));
  for (int lane = 0; lane < batch_.lanes; ++lane) {
    if (batch_.resets[lane]) end_.state.ResetLane(lane);
  }
  TENOR_ASSIGN_OR_RETURN(WindowResult window,
                         model_.ForwardBackward(View(batch_, true), &end_.state));
  result->samples += window.targets;
  result->loss_sum += window.loss_sum;
  result->finite = result->finite && window.finite;
  return absl::OkStatus();
}

// A lane that is replayed starts from zero; the others keep their state through windows of length 0.
absl::Status ByteTrainer::Replay(const std::vector<LaneWindow>& step) {
  const int windows = reader_.ReplayWindows(step);
  for (int index = 0; index < windows; ++index) {
    TENOR_RETURN_IF_ERROR(reader_.FillReplay(step, index, &batch_));
    for (int lane = 0; lane < batch_.lanes; ++lane) {
      if (batch_.resets[lane]) end_.state.ResetLane(lane);
    }
    TENOR_RETURN_IF_ERROR(model_.Forward(View(batch_, false), &end_.state).status());
  }
  return absl::OkStatus();
}

ByteWindow ByteTrainer::View(const LaneBatch& batch, bool with_targets) const {
  ByteWindow window;
  window.lanes = batch.lanes;
  window.window = batch.window;
  window.inputs = batch.inputs;
  if (with_targets) window.targets = batch.targets;
  window.lengths = batch.lengths;
  return window;
}

}  // namespace tenor

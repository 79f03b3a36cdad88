#include "data/lanes.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/check.h"
#include "base/status.h"
#include "proto/text_segments.h"

namespace tenor {
namespace {

absl::Status CheckLease(const spec::JobSpec& job, const spec::Lease& lease) {
  const spec::TextData& text = job.data().text();
  const bool is_inside =
      lease.pass() >= 0 && lease.lane() >= 0 && lease.lane() < job.batch().micro_batch() &&
      lease.segment() >= 0 && lease.segment() < SegmentCount(text) && lease.from() >= 0 &&
      lease.from() < lease.to() && lease.to() <= SegmentRangeOf(text, lease.segment()).size();
  if (is_inside) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "the lease of samples ", lease.from(), " to ", lease.to(), " of segment ", lease.segment(),
      " for lane ", lease.lane(), " is outside of ", SegmentCount(text), " segments of ",
      text.segment_bytes(), " samples and ", job.batch().micro_batch(), " lanes"));
}

// The window that begins at `from`, with the state that the lane needs for it.
LaneWindow NextWindow(const spec::JobSpec& job, const spec::Lease& lease, int64_t from,
                      const LanePosition& position) {
  const int64_t window = job.batch().window();
  LaneWindow next{LaneStart::kReplay,
                  lease.pass(),
                  lease.segment(),
                  from,
                  std::min(lease.to(), (from / window + 1) * window),
                  from};
  if (from == 0) {
    next.start = LaneStart::kZero;
  } else if (position == LanePosition{lease.pass(), lease.segment(), from}) {
    next.start = LaneStart::kContinue;
  } else {
    next.replay_from = std::max<int64_t>(0, from - job.data().text().warmup_bytes());
  }
  return next;
}

// Appends one lease's windows to its lane.
class Planner {
 public:
  Planner(const spec::JobSpec& job, int accumulation_steps)
      : job_(job),
        accumulation_steps_(accumulation_steps),
        lanes_(job.batch().micro_batch()),
        next_step_(lanes_, 0) {
    plan_.end.resize(lanes_);
  }

  void SetHeld(std::span<const LanePosition> held) { plan_.end.assign(held.begin(), held.end()); }

  absl::Status Add(const spec::Lease& lease) {
    TENOR_RETURN_IF_ERROR(CheckLease(job_, lease));
    LanePosition& position = plan_.end[lease.lane()];
    for (int64_t from = lease.from(); from < lease.to(); from = position.position) {
      size_t& step = next_step_[lease.lane()];
      if (step == accumulation_steps_) {
        return absl::InvalidArgumentError(absl::StrCat("lane ", lease.lane(),
                                                       " is leased more windows than the ", step,
                                                       " accumulation steps of the round"));
      }
      const LaneWindow window = NextWindow(job_, lease, from, position);
      position = {lease.pass(), lease.segment(), window.to};
      plan_.samples += window.samples();
      if (step == plan_.steps.size()) plan_.steps.emplace_back(lanes_);
      plan_.steps[step++][lease.lane()] = window;
    }
    return absl::OkStatus();
  }

  RoundPlan Take() && { return std::move(plan_); }

 private:
  const spec::JobSpec& job_;
  const size_t accumulation_steps_;
  const size_t lanes_;
  std::vector<size_t> next_step_;  // [lanes]
  RoundPlan plan_;
};

}  // namespace

absl::StatusOr<RoundPlan> PlanRound(const spec::JobSpec& job, std::span<const spec::Lease> leases,
                                    int accumulation_steps, std::span<const LanePosition> held) {
  CHECK(held.empty() || held.size() == static_cast<size_t>(job.batch().micro_batch()));
  if (accumulation_steps < 1 || accumulation_steps > 65536) {
    return absl::InvalidArgumentError(
        absl::StrCat("accumulation_steps is ", accumulation_steps, "; allowed are 1 to 65536"));
  }
  Planner planner(job, accumulation_steps);
  if (!held.empty()) planner.SetHeld(held);
  for (const spec::Lease& lease : leases) TENOR_RETURN_IF_ERROR(planner.Add(lease));
  return std::move(planner).Take();
}

LaneReader::LaneReader(const TextDataSet& data, const spec::JobSpec& job)
    : data_(data),
      segment_bytes_(job.data().text().segment_bytes()),
      lanes_(job.batch().micro_batch()),
      window_(job.batch().window()) {}

void LaneReader::Clear(LaneBatch* batch) const {
  const size_t size = static_cast<size_t>(lanes_) * static_cast<size_t>(window_);
  batch->lanes = lanes_;
  batch->window = window_;
  batch->inputs.assign(size, 0);
  batch->targets.assign(size, 0);
  batch->lengths.assign(lanes_, 0);
  batch->resets.assign(lanes_, false);
}

absl::Status LaneReader::FillLane(int lane, int64_t segment, int64_t from, int64_t length,
                                  LaneBatch* batch) const {
  std::vector<uint8_t> bytes(static_cast<size_t>(length) + 1);
  TENOR_RETURN_IF_ERROR(data_.ReadTrain(segment * segment_bytes_ + from, bytes));
  for (int64_t t = 0; t < length; ++t) {
    batch->inputs[t * lanes_ + lane] = bytes[t];
    batch->targets[t * lanes_ + lane] = bytes[t + 1];
  }
  batch->lengths[lane] = static_cast<int>(length);
  return absl::OkStatus();
}

absl::Status LaneReader::FillWindow(std::span<const LaneWindow> step, LaneBatch* batch) const {
  CHECK_EQ(step.size(), static_cast<size_t>(lanes_));
  Clear(batch);
  for (int lane = 0; lane < lanes_; ++lane) {
    const LaneWindow& window = step[lane];
    if (window.start == LaneStart::kIdle) continue;
    batch->resets[lane] = window.start == LaneStart::kZero;
    TENOR_RETURN_IF_ERROR(FillLane(lane, window.segment, window.from, window.samples(), batch));
  }
  return absl::OkStatus();
}

int64_t LaneReader::ReplayWindowsOf(const LaneWindow& lane) const {
  if (lane.start != LaneStart::kReplay) return 0;
  return (lane.from - lane.replay_from + window_ - 1) / window_;
}

int LaneReader::ReplayWindows(std::span<const LaneWindow> step) const {
  int64_t most = 0;
  for (const LaneWindow& lane : step) most = std::max(most, ReplayWindowsOf(lane));
  return static_cast<int>(most);
}

absl::Status LaneReader::FillReplay(std::span<const LaneWindow> step, int index,
                                    LaneBatch* batch) const {
  CHECK_EQ(step.size(), static_cast<size_t>(lanes_));
  const int64_t most = ReplayWindows(step);
  Clear(batch);
  for (int lane = 0; lane < lanes_; ++lane) {
    const LaneWindow& window = step[lane];
    const int64_t own_index = index - (most - ReplayWindowsOf(window));
    if (window.start != LaneStart::kReplay || own_index < 0) continue;
    const int64_t from = window.replay_from + own_index * window_;
    const int64_t length = std::min<int64_t>(window_, window.from - from);
    batch->resets[lane] = own_index == 0;
    TENOR_RETURN_IF_ERROR(FillLane(lane, window.segment, from, length, batch));
  }
  return absl::OkStatus();
}

}  // namespace tenor

#ifndef TENOR_DATA_LANES_H_
#define TENOR_DATA_LANES_H_

#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "data/text_reader.h"
#include "proto/spec.pb.h"

// From the leases of one round to the windows of each accumulation step. A lane reads its leases in
// the order of the list, window by window; a window lies inside one lease and ends at multiples of
// the window in the segment, so only the last one of a segment (or of a lease that stops elsewhere)
// is short. Pure functions of job, leases and where the lanes stand; only Fill* read the data.

namespace tenor {

// Where the recurrent state of a lane stands: after sample position - 1 of a segment.
struct LanePosition {
  int64_t pass = -1;  // -1: nowhere, the state is not of use
  int64_t segment = -1;
  int64_t position = 0;
  bool operator==(const LanePosition&) const = default;
};

// How a lane's state comes to be what its window needs.
enum class LaneStart {
  kIdle,      // the lane has no window in this step
  kContinue,  // the state of the lane's window before
  kZero,      // at a segment's start
  kReplay,    // zero, then forward over [replay_from, from)
};

// What one lane reads in one accumulation step: samples [from, to) of a segment.
struct LaneWindow {
  LaneStart start = LaneStart::kIdle;
  int64_t pass = 0;
  int64_t segment = 0;
  int64_t from = 0;
  int64_t to = 0;
  int64_t replay_from = 0;  // = from unless start is kReplay

  int64_t samples() const { return to - from; }
};

struct RoundPlan {
  // [steps][lanes]: at most the accumulation steps, those without any window left out.
  std::vector<std::vector<LaneWindow>> steps;
  std::vector<LanePosition> end;  // [lanes], after the last step
  int64_t samples = 0;
};

// `job` is valid with defaults filled in. `held` says where the lanes stand before the round: one
// entry a lane, or none where every lane is to be rebuilt (a new member, a flush, a skipped round
// of which no state was kept). InvalidArgument, one line, for leases outside the data or the lanes
// and for a lane with more windows than accumulation steps.
absl::StatusOr<RoundPlan> PlanRound(const spec::JobSpec& job, std::span<const spec::Lease> leases,
                                    int accumulation_steps, std::span<const LanePosition> held);

// One stretch of time of all lanes, time-major: lane b at step t is at t * lanes + b. What lies
// behind a lane's length is 0.
struct LaneBatch {
  int lanes = 0;                 // B
  int window = 0;                // T
  std::vector<uint8_t> inputs;   // [T, B]
  std::vector<uint8_t> targets;  // [T, B], the byte after each input
  std::vector<int> lengths;      // [B], 0 to T
  std::vector<bool> resets;      // [B], the lane's state is zeroed before
};

// Reads windows of one data set. Thread-compatible: use one a thread; `data` is borrowed.
class LaneReader {
 public:
  // `job` is valid with defaults filled in, and `data` is its data set.
  LaneReader(const TextDataSet& data, const spec::JobSpec& job);

  // The windows of one accumulation step. Errors of the file system.
  absl::Status FillWindow(std::span<const LaneWindow> step, LaneBatch* batch) const;

  // Number of windows that are replayed forward before FillWindow's; 0 mostly.
  int ReplayWindows(std::span<const LaneWindow> step) const;
  // The replayed window number `index`, 0 first. Lanes without replay have length 0; a lane that
  // replays less than others begins later, so that all end together.
  absl::Status FillReplay(std::span<const LaneWindow> step, int index, LaneBatch* batch) const;

 private:
  int64_t ReplayWindowsOf(const LaneWindow& lane) const;
  void Clear(LaneBatch* batch) const;
  // Samples [from, from + length) of a segment into one lane.
  absl::Status FillLane(int lane, int64_t segment, int64_t from, int64_t length,
                        LaneBatch* batch) const;

  const TextDataSet& data_;
  const int64_t segment_bytes_;
  const int lanes_;
  const int window_;
};

}  // namespace tenor

#endif  // TENOR_DATA_LANES_H_

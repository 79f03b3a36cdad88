#ifndef TENOR_SERVER_CORE_DATA_SHAPE_H_
#define TENOR_SERVER_CORE_DATA_SHAPE_H_

#include <cstdint>

#include "absl/status/status.h"
#include "proto/spec.pb.h"

// How a data set is cut for dealing (docs/design.md 4). Pure functions of the JobSpec; no data is
// opened here.

namespace tenor {

// The samples of one pass and their segments. Segment i covers samples
// [i * segment_samples, min((i + 1) * segment_samples, samples)).
struct DataShape {
  int64_t samples = 0;
  int64_t segment_samples = 1;
  int64_t passes = 0;  // 0 = endless
  uint64_t seed = 0;   // with the pass, draws the order of its segments

  int64_t Segments() const { return (samples + segment_samples - 1) / segment_samples; }
  int64_t SegmentSize(int64_t segment) const;
};

// What one round gives to a member of weight w: w * lanes lanes of slots_per_lane slots; a slot
// takes at most slot_samples samples of one segment.
struct DealShape {
  int32_t lanes = 1;
  int64_t slots_per_lane = 1;
  int64_t slot_samples = 1;
};

DataShape DataShapeOf(const spec::JobSpec& job);
DealShape DealShapeOf(const spec::JobSpec& job, int32_t accumulation_steps);

// Errors: InvalidArgument (no data, segments out of range, fewer segments than the lanes of one
// worker, with both numbers).
absl::Status CheckDataShape(const DataShape& data, const DealShape& deal);

}  // namespace tenor

#endif  // TENOR_SERVER_CORE_DATA_SHAPE_H_

#include "server/core/data_shape.h"

#include <algorithm>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "proto/spec.pb.h"

namespace tenor {

namespace {

// The order of a pass is kept in memory: 8 bytes a segment.
constexpr int64_t kMaxSegments = int64_t{1} << 27;

}  // namespace

int64_t DataShape::SegmentSize(int64_t segment) const {
  return std::min(segment_samples, samples - segment * segment_samples);
}

DataShape DataShapeOf(const spec::JobSpec& job) {
  const spec::TextData& text = job.data().text();
  return {.samples = text.bytes() - 1,
          .segment_samples = text.segment_bytes(),
          .passes = job.stop().data_epochs(),
          .seed = static_cast<uint64_t>(job.seed())};
}

DealShape DealShapeOf(const spec::JobSpec& job, int32_t accumulation_steps) {
  return {.lanes = job.batch().micro_batch(),
          .slots_per_lane = accumulation_steps,
          .slot_samples = job.batch().window()};
}

absl::Status CheckDataShape(const DataShape& data, const DealShape& deal) {
  if (data.samples < 1 || data.segment_samples < 1) {
    return absl::InvalidArgumentError(absl::StrCat("a data set of ", data.samples,
                                                   " samples in segments of ", data.segment_samples,
                                                   ": at least one of each is needed"));
  }
  if (data.Segments() > kMaxSegments) {
    return absl::InvalidArgumentError(absl::StrCat(data.Segments(), " segments are more than ",
                                                   kMaxSegments, "; raise segment_bytes"));
  }
  if (deal.lanes < 1 || deal.slots_per_lane < 1 || deal.slot_samples < 1) {
    return absl::InvalidArgumentError("micro_batch, window and accumulation_steps are at least 1");
  }
  if (data.Segments() < deal.lanes) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the data set has ", data.Segments(), " segments of ", data.segment_samples,
        " samples, one worker has ", deal.lanes, " lanes: lower segment_bytes or micro_batch"));
  }
  return absl::OkStatus();
}

}  // namespace tenor

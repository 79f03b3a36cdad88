#ifndef TENOR_SERVER_CORE_SCHEDULE_H_
#define TENOR_SERVER_CORE_SCHEDULE_H_

#include <cstdint>

#include "absl/status/status.h"
#include "proto/spec.pb.h"

// The learning rate of an update (docs/design.md 5). Pure.

namespace tenor {

// Where an update stands.
struct SchedulePoint {
  int64_t version = 0;         // updates applied before this one
  int64_t samples_before = 0;  // samples of those
  int64_t round_samples = 0;   // of this update
};

// The rate of the schedule, times the batch rule's factor, times `scale`.
//   constant        peak
//   linear          peak * (1 - k / length)
//   linear_horizon  peak * (1 - k / horizon), at least 1e-8 (the byte mLSTM's large-batch recipe)
//   poly            peak * n / warmup up to n = warmup, then peak * (1 - n / length)^degree with
//                   n = k + the step that this update makes (NVIDIA's LAMB recipe counts from 1;
//                   the rate jumps at the end of the warm-up)
// k counts updates or samples before this update, as key says; length is stop.updates or
// stop.samples. Never negative.
double LearningRate(const spec::ScheduleSpec& schedule, const spec::StopSpec& stop,
                    const SchedulePoint& point, double scale);

// Errors: InvalidArgument (no kind, a peak or horizon that is not positive, a length that `stop`
// does not give, a batch rule without reference_batch).
absl::Status CheckSchedule(const spec::ScheduleSpec& schedule, const spec::StopSpec& stop);

}  // namespace tenor

#endif  // TENOR_SERVER_CORE_SCHEDULE_H_

#include "server/core/schedule.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "proto/spec.pb.h"

namespace tenor {

namespace {

constexpr double kHorizonFloor = 1e-8;
constexpr double kDefaultDegree = 0.5;

bool BySamples(const spec::ScheduleSpec& schedule) {
  return schedule.key() == spec::ScheduleKey::SAMPLES;
}

double Length(const spec::ScheduleSpec& schedule, const spec::StopSpec& stop) {
  return static_cast<double>(BySamples(schedule) ? stop.samples() : stop.updates());
}

// 1 at the start, 0 from `end` on.
double Left(double position, double end) { return std::max(0.0, 1.0 - position / end); }

double PolyRate(const spec::PolySchedule& poly, double reached, double length) {
  const double peak = poly.peak();
  const double warmup = static_cast<double>(poly.warmup());
  if (reached <= warmup) return peak * (reached / warmup);
  const double degree = poly.has_degree() ? poly.degree() : kDefaultDegree;
  return peak * std::pow(Left(reached, length), degree);
}

double PlainRate(const spec::ScheduleSpec& schedule, const spec::StopSpec& stop,
                 const SchedulePoint& point) {
  const bool by_samples = BySamples(schedule);
  const double before = static_cast<double>(by_samples ? point.samples_before : point.version);
  const double step = static_cast<double>(by_samples ? point.round_samples : 1);
  switch (schedule.kind_case()) {
    case spec::ScheduleSpec::kConstant:
      return schedule.constant().peak();
    case spec::ScheduleSpec::kLinear:
      return schedule.linear().peak() * Left(before, Length(schedule, stop));
    case spec::ScheduleSpec::kLinearHorizon: {
      const spec::LinearHorizonSchedule& linear = schedule.linear_horizon();
      const double horizon = static_cast<double>(linear.horizon());
      return std::max(kHorizonFloor, linear.peak() * Left(before, horizon));
    }
    case spec::ScheduleSpec::kPoly:
      return PolyRate(schedule.poly(), before + step, Length(schedule, stop));
    case spec::ScheduleSpec::KIND_NOT_SET:
      return 0;
  }
  return 0;
}

double BatchFactor(const spec::ScheduleSpec& schedule, int64_t round_samples) {
  const double ratio =
      static_cast<double>(round_samples) / static_cast<double>(schedule.reference_batch());
  switch (schedule.batch_lr_rule()) {
    case spec::BatchLrRule::SQRT:
      return std::sqrt(ratio);
    case spec::BatchLrRule::LINEAR:
      return ratio;
    default:
      return 1;
  }
}

double Peak(const spec::ScheduleSpec& schedule) {
  switch (schedule.kind_case()) {
    case spec::ScheduleSpec::kConstant:
      return schedule.constant().peak();
    case spec::ScheduleSpec::kLinear:
      return schedule.linear().peak();
    case spec::ScheduleSpec::kLinearHorizon:
      return schedule.linear_horizon().peak();
    case spec::ScheduleSpec::kPoly:
      return schedule.poly().peak();
    case spec::ScheduleSpec::KIND_NOT_SET:
      return 0;
  }
  return 0;
}

bool NeedsLength(const spec::ScheduleSpec& schedule) {
  return schedule.has_linear() || schedule.has_poly();
}

}  // namespace

double LearningRate(const spec::ScheduleSpec& schedule, const spec::StopSpec& stop,
                    const SchedulePoint& point, double scale) {
  return PlainRate(schedule, stop, point) * BatchFactor(schedule, point.round_samples) * scale;
}

absl::Status CheckSchedule(const spec::ScheduleSpec& schedule, const spec::StopSpec& stop) {
  if (!(Peak(schedule) > 0) || !std::isfinite(Peak(schedule))) {
    return absl::InvalidArgumentError(
        absl::StrCat("schedule: peak is ", Peak(schedule), "; a positive rate is needed"));
  }
  if (schedule.has_linear_horizon() && schedule.linear_horizon().horizon() <= 0) {
    return absl::InvalidArgumentError("schedule: linear_horizon needs a positive horizon");
  }
  if (schedule.has_poly() && schedule.poly().warmup() < 0) {
    return absl::InvalidArgumentError("schedule: warmup is negative");
  }
  if (NeedsLength(schedule) && Length(schedule, stop) <= 0) {
    return absl::InvalidArgumentError(absl::StrCat("schedule: linear and poly need stop.",
                                                   BySamples(schedule) ? "samples" : "updates"));
  }
  const bool has_rule = schedule.batch_lr_rule() == spec::BatchLrRule::SQRT ||
                        schedule.batch_lr_rule() == spec::BatchLrRule::LINEAR;
  if (has_rule && schedule.reference_batch() <= 0) {
    return absl::InvalidArgumentError("schedule: batch_lr_rule needs a positive reference_batch");
  }
  return absl::OkStatus();
}

}  // namespace tenor

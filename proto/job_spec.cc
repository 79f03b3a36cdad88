#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "proto/field_checks.h"
#include "proto/text_segments.h"
#include "proto/validate.h"

namespace tenor {
namespace {

constexpr int64_t kMaxCount = int64_t{1} << 60;  // of updates or samples
constexpr int64_t kMaxBytes = int64_t{1} << 50;  // of a data set: sums of two stay in int64
constexpr int64_t kMinSegmentWindows = 64;
constexpr int64_t kMaxDefaultSegment = int64_t{1} << 20;
constexpr int64_t kDefaultWarmupWindows = 4;

// ---------------------------------------------------------------- defaults

void FillModel(spec::ModelSpec* model) {
  if (!model->has_mlstm()) return;
  if (model->mlstm().embedding() == 0) model->mutable_mlstm()->set_embedding(64);
}

void FillText(int64_t window, spec::TextData* text) {
  if (window <= 0 || window > 65536) return;
  if (text->warmup_bytes() == 0) text->set_warmup_bytes(kDefaultWarmupWindows * window);
  if (text->segment_bytes() != 0 || text->bytes() <= 0) return;
  const int64_t wanted =
      std::max(kMinSegmentWindows * window, std::min(kMaxDefaultSegment, text->bytes() / 4096));
  text->set_segment_bytes(wanted / window * window);
}

void FillAdam(spec::AdamSpec* adam) {
  if (!adam->has_beta1()) adam->set_beta1(0.9f);
  if (!adam->has_beta2()) adam->set_beta2(0.999f);
  if (!adam->has_epsilon()) adam->set_epsilon(1e-8f);
  if (!adam->has_weight_decay()) adam->set_weight_decay(0);
  if (!adam->has_bias_correction()) adam->set_bias_correction(true);
}

void FillSchedule(spec::ScheduleSpec* schedule) {
  if (schedule->key() == spec::ScheduleKey::UNSPECIFIED) {
    schedule->set_key(spec::ScheduleKey::UPDATES);
  }
  if (schedule->batch_lr_rule() == spec::BatchLrRule::UNSPECIFIED) {
    schedule->set_batch_lr_rule(spec::BatchLrRule::NONE);
  }
  if (schedule->has_poly() && !schedule->poly().has_degree()) {
    schedule->mutable_poly()->set_degree(0.5f);
  }
}

// No compute type of this version scales its loss: the scale is 2^0, always.
void FillLossScale(spec::LossScaleSpec* scale) {
  if (!scale->has_initial_log2()) scale->set_initial_log2(0);
  if (!scale->has_minimum_log2()) scale->set_minimum_log2(0);
  if (!scale->has_maximum_log2()) scale->set_maximum_log2(0);
  if (!scale->has_growth_rounds()) scale->set_growth_rounds(1000);
  if (!scale->has_max_skips()) scale->set_max_skips(8);
}

// ---------------------------------------------------------------- checks

void CheckModel(const spec::ModelSpec& model, FieldChecks* checks) {
  checks->That(model.has_mlstm(), "model",
               "is missing; allowed is model { mlstm { hidden: 512 } }");
  if (!model.has_mlstm()) return;
  checks->Integer("model.mlstm.hidden", model.mlstm().hidden(), 1, 65536);
  checks->Integer("model.mlstm.embedding", model.mlstm().embedding(), 1, 65536);
}

void CheckBatch(const spec::BatchSpec& batch, FieldChecks* checks) {
  checks->Integer("batch.micro_batch", batch.micro_batch(), 1, 65536);
  checks->Integer("batch.window", batch.window(), 1, 65536);
}

bool IsDigest(absl::string_view digest) {
  return absl::ConsumePrefix(&digest, "crc32c:") && digest.size() == 8 &&
         std::all_of(digest.begin(), digest.end(), [](char c) {
           return absl::ascii_isdigit(static_cast<unsigned char>(c)) || (c >= 'a' && c <= 'f');
         });
}

void CheckWholeWindows(absl::string_view field, int64_t bytes, int64_t window,
                       FieldChecks* checks) {
  if (checks->failed()) return;
  checks->That(bytes % window == 0, field,
               absl::StrCat("is ", bytes, ", not a whole number of windows; allowed are multiples ",
                            "of batch.window ", window));
}

void CheckSegments(const spec::JobSpec& job, FieldChecks* checks) {
  const spec::TextData& text = job.data().text();
  checks->Integer("data.text.bytes", text.bytes(), 2, kMaxBytes);
  checks->Integer("data.text.segment_bytes", text.segment_bytes(), 1, kMaxBytes);
  CheckWholeWindows("data.text.segment_bytes", text.segment_bytes(), job.batch().window(), checks);
  if (checks->failed()) return;
  const int64_t segments = SegmentCount(text);
  checks->That(segments >= job.batch().micro_batch(), "data.text.segment_bytes",
               absl::StrCat("is ", text.segment_bytes(), " and cuts ", text.bytes(), " bytes into ",
                            segments, " segments, fewer than the ", job.batch().micro_batch(),
                            " lanes of batch.micro_batch; take shorter segments or fewer lanes"));
}

void CheckDigest(const spec::TextData& text, FieldChecks* checks) {
  checks->That(text.path().empty(), "data.text.path",
               "is set; allowed only in a job for `tenor local`, elsewhere digest and bytes name "
               "the data set");
  checks->That(!text.digest().empty(), "data.text.digest",
               "is missing; `tenor data text` prints it (crc32c of dataset.textproto)");
  checks->That(IsDigest(text.digest()), "data.text.digest",
               "is malformed; allowed is \"crc32c:\" and 8 hexadecimal digits in lower case");
}

void CheckData(const spec::JobSpec& job, DataReference reference, FieldChecks* checks) {
  checks->That(job.data().has_text(), "data",
               "is missing; allowed is data { text { digest: \"crc32c:...\" bytes: ... } }");
  if (checks->failed()) return;
  const spec::TextData& text = job.data().text();
  const bool by_path = reference == DataReference::kPathOrDigest && !text.path().empty();
  if (!by_path) CheckDigest(text, checks);
  checks->Integer("data.text.warmup_bytes", text.warmup_bytes(), 1, kMaxBytes);
  CheckWholeWindows("data.text.warmup_bytes", text.warmup_bytes(), job.batch().window(), checks);
  if (!by_path || text.bytes() != 0) {
    CheckSegments(job, checks);
  } else {
    checks->Integer("data.text.segment_bytes", text.segment_bytes(), 0, kMaxBytes);
    CheckWholeWindows("data.text.segment_bytes", text.segment_bytes(), job.batch().window(),
                      checks);
  }
}

void CheckDecayRate(absl::string_view field, double value, FieldChecks* checks) {
  checks->That(value >= 0 && value < 1, field,
               absl::StrCat("is ", value, "; allowed are numbers from 0 to below 1"));
}

void CheckOptimizer(const spec::OptimizerSpec& optimizer, FieldChecks* checks) {
  checks->That(optimizer.has_adam(), "optimizer",
               "is missing; allowed is optimizer { adam { } }, which has defaults for all fields");
  const spec::AdamSpec& adam = optimizer.adam();
  CheckDecayRate("optimizer.adam.beta1", adam.beta1(), checks);
  CheckDecayRate("optimizer.adam.beta2", adam.beta2(), checks);
  checks->Positive("optimizer.adam.epsilon", adam.epsilon());
  checks->Number("optimizer.adam.weight_decay", adam.weight_decay(), 0, 1000);
  checks->Number("optimizer.clip_norm", optimizer.clip_norm(), 0, 1e30);
}

// The condition of `stop` that gives a schedule its length.
struct Length {
  absl::string_view field;
  int64_t value;
};

Length LengthOf(const spec::JobSpec& job) {
  if (job.schedule().key() == spec::ScheduleKey::SAMPLES) {
    return {"stop.samples", job.stop().samples()};
  }
  return {"stop.updates", job.stop().updates()};
}

void CheckLength(const spec::JobSpec& job, absl::string_view schedule, FieldChecks* checks) {
  const Length length = LengthOf(job);
  checks->That(
      length.value > 0, absl::StrCat("schedule.", schedule),
      absl::StrCat("has no end; with key ", spec::ScheduleKey::Type_Name(job.schedule().key()),
                   " it falls to zero at ", length.field,
                   ", which is missing: set it, or take constant or linear_horizon"));
}

void CheckPoly(const spec::JobSpec& job, FieldChecks* checks) {
  const spec::PolySchedule& poly = job.schedule().poly();
  checks->Positive("schedule.poly.peak", poly.peak());
  checks->Positive("schedule.poly.degree", poly.degree());
  CheckLength(job, "poly", checks);
  const Length length = LengthOf(job);
  checks->That(poly.warmup() >= 0 && poly.warmup() < std::max<int64_t>(1, length.value),
               "schedule.poly.warmup",
               absl::StrCat("is ", poly.warmup(), "; allowed are 0 to below ", length.field, " ",
                            length.value));
}

void CheckBatchRule(const spec::ScheduleSpec& schedule, FieldChecks* checks) {
  checks->That(spec::BatchLrRule::Type_IsValid(schedule.batch_lr_rule()), "schedule.batch_lr_rule",
               absl::StrCat("is ", static_cast<int>(schedule.batch_lr_rule()),
                            "; allowed are NONE, SQRT, LINEAR"));
  if (checks->failed()) return;
  checks->Integer("schedule.reference_batch", schedule.reference_batch(), 0, kMaxCount);
  const bool has_rule = schedule.batch_lr_rule() != spec::BatchLrRule::NONE;
  const bool has_reference = schedule.reference_batch() > 0;
  checks->That(!has_rule || has_reference, "schedule.batch_lr_rule",
               absl::StrCat("is ", spec::BatchLrRule::Type_Name(schedule.batch_lr_rule()),
                            " without schedule.reference_batch; set the samples of the batch that ",
                            "the peak was chosen for"));
  checks->That(has_rule || !has_reference, "schedule.reference_batch",
               absl::StrCat("is ", schedule.reference_batch(),
                            " but batch_lr_rule is NONE, which takes none; set SQRT or LINEAR"));
}

void CheckScheduleKind(const spec::JobSpec& job, FieldChecks* checks) {
  const spec::ScheduleSpec& schedule = job.schedule();
  switch (schedule.kind_case()) {
    case spec::ScheduleSpec::kConstant:
      return checks->Positive("schedule.constant.peak", schedule.constant().peak());
    case spec::ScheduleSpec::kLinear:
      checks->Positive("schedule.linear.peak", schedule.linear().peak());
      return CheckLength(job, "linear", checks);
    case spec::ScheduleSpec::kLinearHorizon:
      checks->Positive("schedule.linear_horizon.peak", schedule.linear_horizon().peak());
      return checks->Integer("schedule.linear_horizon.horizon", schedule.linear_horizon().horizon(),
                             1, kMaxCount);
    case spec::ScheduleSpec::kPoly:
      return CheckPoly(job, checks);
    case spec::ScheduleSpec::KIND_NOT_SET:
      return checks->That(false, "schedule",
                          "is missing; allowed are constant, linear, linear_horizon and poly");
  }
}

void CheckSchedule(const spec::JobSpec& job, FieldChecks* checks) {
  checks->That(spec::ScheduleKey::Type_IsValid(job.schedule().key()), "schedule.key",
               absl::StrCat("is ", static_cast<int>(job.schedule().key()),
                            "; allowed are UPDATES, SAMPLES"));
  if (checks->failed()) return;
  CheckScheduleKind(job, checks);
  CheckBatchRule(job.schedule(), checks);
}

void CheckStop(const spec::StopSpec& stop, FieldChecks* checks) {
  checks->Integer("stop.updates", stop.updates(), 0, kMaxCount);
  checks->Integer("stop.samples", stop.samples(), 0, kMaxCount);
  checks->Integer("stop.data_epochs", stop.data_epochs(), 0, int64_t{1} << 30);
  checks->Number("stop.loss_below", stop.loss_below(), 0, 1e30);
  checks->That(
      stop.updates() > 0 || stop.samples() > 0 || stop.data_epochs() > 0 || stop.loss_below() > 0,
      "stop", "has no condition; set at least one of updates, samples, data_epochs, loss_below");
}

void CheckFixedScale(absl::string_view field, int32_t value, absl::string_view compute,
                     FieldChecks* checks) {
  checks->That(value == 0, field,
               absl::StrCat("is ", value, "; allowed is 0, because compute ", compute,
                            " trains without a loss scale"));
}

void CheckLossScale(const spec::JobSpec& job, FieldChecks* checks) {
  const spec::LossScaleSpec& scale = job.loss_scale();
  const std::string compute = spec::Compute::Type_Name(job.compute());
  CheckFixedScale("loss_scale.initial_log2", scale.initial_log2(), compute, checks);
  CheckFixedScale("loss_scale.minimum_log2", scale.minimum_log2(), compute, checks);
  CheckFixedScale("loss_scale.maximum_log2", scale.maximum_log2(), compute, checks);
  checks->Integer("loss_scale.growth_rounds", scale.growth_rounds(), 1, 1'000'000'000);
  checks->Integer("loss_scale.max_skips", scale.max_skips(), 1, 1000);
}

}  // namespace

spec::JobSpec FillDefaults(spec::JobSpec job) {
  if (job.compute() == spec::Compute::UNSPECIFIED) job.set_compute(spec::Compute::FP32);
  FillModel(job.mutable_model());
  if (job.batch().window() == 0) job.mutable_batch()->set_window(256);
  if (job.data().has_text()) FillText(job.batch().window(), job.mutable_data()->mutable_text());
  if (job.optimizer().has_adam()) FillAdam(job.mutable_optimizer()->mutable_adam());
  FillSchedule(job.mutable_schedule());
  FillLossScale(job.mutable_loss_scale());
  spec::Tunables tunables = DefaultTunables();
  tunables.MergeFrom(job.tunables());
  *job.mutable_tunables() = std::move(tunables);
  return job;
}

std::optional<Violation> FindViolation(const spec::JobSpec& given, DataReference reference) {
  const spec::JobSpec job = FillDefaults(given);
  FieldChecks checks;
  checks.Name("name", job.name(), 64);
  checks.That(spec::Compute::Type_IsValid(job.compute()), "compute",
              absl::StrCat("is ", static_cast<int>(job.compute()), "; allowed are FP32, BF16"));
  CheckModel(job.model(), &checks);
  CheckBatch(job.batch(), &checks);
  CheckData(job, reference, &checks);
  CheckOptimizer(job.optimizer(), &checks);
  CheckStop(job.stop(), &checks);
  CheckSchedule(job, &checks);
  checks.Part("tunables", FindViolation(job.tunables()));
  checks.Integer("chunk_elements", job.chunk_elements(), 0, kMaxChunkElements);
  CheckLossScale(job, &checks);
  return std::move(checks).First();
}

}  // namespace tenor

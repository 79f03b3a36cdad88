#include "server/core/tunables.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "proto/spec.pb.h"
#include "server/core/names.h"

namespace tenor {

namespace {

template <typename T>
absl::Status InRange(absl::string_view field, T value, T low, T high) {
  // Written so that NaN is outside.
  if (value >= low && value <= high) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(field, " is ", value, ", not within ", low, "..", high));
}

absl::Status CheckCodec(absl::string_view field, spec::Codec::Id codec) {
  if (codec == spec::Codec::FP32 || codec == spec::Codec::FP16) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(field, " is ", static_cast<int>(codec),
                                                 ", not a codec of this version (FP32, FP16)"));
}

// The step tunables of `tunables`, nothing else.
spec::Tunables StepPart(spec::Tunables tunables) {
  tunables.clear_min_workers();
  tunables.clear_heartbeat_timeout();
  tunables.clear_round_deadline();
  tunables.clear_pause();
  tunables.clear_keep_checkpoints();
  tunables.clear_keep_every();
  return tunables;
}

spec::Tunables LivenessPart(spec::Tunables tunables) {
  tunables.clear_accumulation_steps();
  tunables.clear_push_codec();
  tunables.clear_pull_codec();
  tunables.clear_learning_rate_scale();
  tunables.clear_checkpoint_every();
  return tunables;
}

}  // namespace

spec::Tunables WithDefaults(const spec::Tunables& tunables) {
  spec::Tunables all;
  all.set_accumulation_steps(1);
  all.set_push_codec(spec::Codec::FP16);
  all.set_pull_codec(spec::Codec::FP16);
  all.set_learning_rate_scale(1);
  all.set_checkpoint_every(500);
  all.set_min_workers(1);
  all.set_heartbeat_timeout(5);
  all.set_round_deadline(0);
  all.set_pause(false);
  all.set_keep_checkpoints(3);
  all.set_keep_every(0);
  all.MergeFrom(tunables);
  return all;
}

absl::Status CheckTunables(const spec::Tunables& tunables) {
  const spec::Tunables all = WithDefaults(tunables);
  const absl::Status checks[] = {
      InRange("accumulation_steps", all.accumulation_steps(), 1, 65536),
      CheckCodec("push_codec", all.push_codec()),
      CheckCodec("pull_codec", all.pull_codec()),
      InRange("learning_rate_scale", all.learning_rate_scale(), 0.0, 100.0),
      InRange("checkpoint_every", all.checkpoint_every(), int64_t{0}, int64_t{1} << 40),
      InRange("min_workers", all.min_workers(), 1, 100000),
      InRange("heartbeat_timeout", all.heartbeat_timeout(), 1.0, 600.0),
      InRange("round_deadline", all.round_deadline(), 0.0, 1e6),
      InRange("keep_checkpoints", all.keep_checkpoints(), 1, 10000),
      InRange("keep_every", all.keep_every(), int64_t{0}, int64_t{1} << 40),
  };
  for (const absl::Status& check : checks) {
    if (!check.ok()) return check;
  }
  return absl::OkStatus();
}

namespace {

void ClearFieldsOf(const spec::Tunables& change, spec::Tunables* target) {
  std::vector<const google::protobuf::FieldDescriptor*> fields;
  change.GetReflection()->ListFields(change, &fields);
  for (const auto* field : fields) target->GetReflection()->ClearField(target, field);
}

}  // namespace

TunablesBook::TunablesBook(const spec::Tunables& accepted)
    : accepted_(accepted), in_force_(accepted) {}

spec::Tunables TunablesBook::Merged(const spec::Tunables& change) const {
  spec::Tunables merged = accepted_;
  merged.MergeFrom(change);
  return merged;
}

// The newest one holds from its step on: an older one that would come into force later must not
// undo it, for the claim holds the newest values.
void TunablesBook::Accept(const spec::Tunables& change, Version at_step) {
  accepted_.MergeFrom(change);
  in_force_.MergeFrom(LivenessPart(change));
  const spec::Tunables step = StepPart(change);
  if (step.ByteSizeLong() == 0) return;
  for (Waiting& waiting : waiting_) {
    if (waiting.from >= at_step) ClearFieldsOf(step, &waiting.change);
  }
  waiting_.push_back({at_step, step});
}

const spec::Tunables& TunablesBook::FreezeAt(Version version) {
  std::vector<Waiting> later;
  for (Waiting& waiting : waiting_) {
    if (waiting.from <= version) {
      in_force_.MergeFrom(waiting.change);
    } else {
      later.push_back(std::move(waiting));
    }
  }
  waiting_ = std::move(later);
  return in_force_;
}

spec::Tunables TunablesBook::Pending() const {
  spec::Tunables pending;
  for (const Waiting& waiting : waiting_) pending.MergeFrom(waiting.change);
  return pending;
}

}  // namespace tenor

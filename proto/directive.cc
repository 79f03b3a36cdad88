#include "absl/strings/str_cat.h"
#include "proto/field_checks.h"
#include "proto/text_segments.h"
#include "proto/validate.h"

namespace tenor {
namespace {

constexpr int kMaxLeases = 1 << 20;
constexpr int kMaxShards = 4096;
constexpr size_t kMaxAddress = 512;

void CheckLabel(const spec::Label& label, FieldChecks* checks) {
  checks->Integer("label.lineage", label.lineage(), 1, INT64_MAX);
  checks->Integer("label.round", label.round(), 1, INT64_MAX);
  checks->Integer("label.view", label.view(), 1, INT64_MAX);
}

void CheckCodec(absl::string_view field, spec::Codec::Id codec, FieldChecks* checks) {
  checks->That(codec == spec::Codec::FP32 || codec == spec::Codec::FP16, field,
               absl::StrCat("is ", static_cast<int>(codec), "; allowed are FP32, FP16"));
}

void CheckLease(absl::string_view field, const spec::Lease& lease, const spec::JobSpec& job,
                FieldChecks* checks) {
  const spec::TextData& text = job.data().text();
  FieldChecks own;
  own.Integer("pass", lease.pass(), 0, INT64_MAX);
  own.Integer("segment", lease.segment(), 0, SegmentCount(text) - 1);
  own.Integer("lane", lease.lane(), 0, job.batch().micro_batch() - 1);
  if (!own.failed()) {
    own.Integer("to", lease.to(), 1, SegmentRangeOf(text, lease.segment()).size());
    own.Integer("from", lease.from(), 0, lease.to() - 1);
  }
  checks->Part(field, std::move(own).First());
}

template <typename Leases>
void CheckLeases(absl::string_view field, const Leases& leases, const spec::JobSpec& job,
                 FieldChecks* checks) {
  checks->That(leases.size() <= kMaxLeases, field,
               absl::StrCat("has ", leases.size(), " entries; allowed are ", kMaxLeases));
  for (int i = 0; i < leases.size() && !checks->failed(); ++i) {
    CheckLease(absl::StrCat(field, "[", i, "]"), leases[i], job, checks);
  }
}

void CheckShards(const spec::Directive& directive, FieldChecks* checks) {
  checks->That(directive.shards_size() <= kMaxShards, "shards",
               absl::StrCat("has ", directive.shards_size(), " entries; allowed are ", kMaxShards));
  for (int i = 0; i < directive.shards_size() && !checks->failed(); ++i) {
    const spec::ShardAddress& shard = directive.shards(i);
    const std::string field = absl::StrCat("shards[", i, "].");
    checks->Integer(absl::StrCat(field, "index"), shard.index(), i, i);
    checks->That(
        !shard.address().empty() && shard.address().size() <= kMaxAddress,
        absl::StrCat(field, "address"),
        absl::StrCat("has ", shard.address().size(), " bytes; allowed are 1 to ", kMaxAddress));
  }
}

}  // namespace

std::optional<Violation> FindViolation(const spec::Directive& directive, const spec::JobSpec& job) {
  FieldChecks checks;
  CheckLabel(directive.label(), &checks);
  checks.Integer("version", directive.version(), 0, INT64_MAX);
  checks.Integer("accumulation_steps", directive.accumulation_steps(), 1, 65536);
  CheckCodec("push_codec", directive.push_codec(), &checks);
  CheckCodec("pull_codec", directive.pull_codec(), &checks);
  checks.Integer("loss_scale_log2", directive.loss_scale_log2(), -126, 127);
  checks.Integer("skips", directive.skips(), 0, INT64_MAX);
  checks.Integer("last_applied_round", directive.last_applied_round(), 0,
                 directive.label().round() - 1);
  CheckLeases("leases", directive.leases(), job, &checks);
  CheckLeases("hints", directive.hints(), job, &checks);
  CheckShards(directive, &checks);
  return std::move(checks).First();
}

}  // namespace tenor

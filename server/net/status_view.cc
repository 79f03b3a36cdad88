#include "server/net/status_view.h"

#include <string>

namespace tenor {
namespace {

spec::Verdict::Type VerdictOf(VerdictKind verdict) {
  switch (verdict) {
    case VerdictKind::kApply:
      return spec::Verdict::APPLIED;
    case VerdictKind::kSkip:
      return spec::Verdict::SKIPPED;
    case VerdictKind::kDrop:
      return spec::Verdict::DROPPED;
    case VerdictKind::kVoid:
      return spec::Verdict::VOID;
  }
  return spec::Verdict::UNSPECIFIED;
}

void FillMember(const SeatStatus& seat, wire::MemberStatus* out) {
  out->set_name(seat.name);
  out->set_state(seat.state);
  out->set_heard_ago(absl::ToDoubleSeconds(seat.heard_ago));
  out->set_address(seat.address);
  out->set_reported(seat.reported);
  out->set_compute_seconds(seat.compute_seconds);
  out->set_wait_seconds(seat.wait_seconds);
  out->set_weight(seat.weight);
  out->set_incarnation(seat.incarnation.value);
}

void FillServer(const ShardStatus& shard, int index, wire::ServerStatus* out) {
  out->set_index(index);
  out->set_address(shard.address);
  out->set_phase(shard.known ? std::string(ShardPhaseName(shard.last.phase)) : "not heard");
  out->set_heard_ago(absl::ToDoubleSeconds(shard.heard_ago));
  out->set_version(shard.last.version);
  out->set_problem(shard.problem);
  out->set_bytes_held(shard.last.bytes_held);
}

void FillRound(const CoordinatorStatus& status, wire::RunStatus* out) {
  out->set_state(std::string(StateName(status.state)));
  out->set_reason(status.reason);
  out->mutable_label()->set_lineage(status.label.lineage);
  out->mutable_label()->set_round(status.label.round);
  out->mutable_label()->set_view(status.label.view);
  out->set_version(status.version);
  out->set_samples(status.record.samples());
  out->set_loss_nats(status.record.last_loss());
  out->set_learning_rate(status.record.last_learning_rate());
  out->set_loss_scale_log2(status.record.scaler().log2());
  *out->mutable_tunables() = status.accepted;
  *out->mutable_pending() = status.pending;
  out->set_applied(status.applied);
  out->set_skipped(status.skipped);
  out->set_dropped(status.dropped);
  out->set_voided(status.voided);
}

}  // namespace

absl::string_view ShardPhaseName(ShardPhase phase) {
  switch (phase) {
    case ShardPhase::kEmpty:
      return "empty";
    case ShardPhase::kDraining:
      return "draining";
    case ShardPhase::kLoading:
      return "loading";
    case ShardPhase::kIdle:
      return "idle";
    case ShardPhase::kOpen:
      return "open";
    case ShardPhase::kNorming:
      return "norming";
    case ShardPhase::kNormsDone:
      return "norms done";
    case ShardPhase::kApplying:
      return "applying";
  }
  return "unknown";
}

wire::RunStatus ToRunStatus(const RunView& view) {
  const CoordinatorStatus& status = view.status;
  wire::RunStatus out;
  FillRound(status, &out);
  for (const SeatStatus& seat : status.seats) FillMember(seat, out.add_members());
  for (size_t k = 0; k < status.shards.size(); ++k) {
    FillServer(status.shards[k], static_cast<int>(k), out.add_servers());
  }
  out.set_newest_checkpoint_age(-1);
  if (status.newest_checkpoint) {
    out.mutable_newest_checkpoint()->set_lineage(status.newest_checkpoint->lineage);
    out.mutable_newest_checkpoint()->set_round(status.newest_checkpoint->round);
    out.mutable_newest_checkpoint()->set_version(status.newest_checkpoint->version);
    out.set_newest_checkpoint_age(absl::ToDoubleSeconds(status.newest_checkpoint_age));
  }
  out.set_step_seconds(absl::ToDoubleSeconds(view.step_seconds));
  out.set_ready(status.ready);
  for (const std::string& name : status.missing) out.add_missing(name);
  return out;
}

wire::StepLine ToStepLine(const StepRecord& record) {
  const StepDone& step = record.step;
  wire::StepLine out;
  out.set_step(step.version);
  out.set_lineage(step.label.lineage);
  out.set_round(step.label.round);
  out.set_view(step.label.view);
  out.set_verdict(VerdictOf(step.verdict));
  out.set_loss_nats(step.loss);
  out.set_learning_rate(step.learning_rate);
  out.set_samples(step.samples);
  out.set_seconds(absl::ToDoubleSeconds(record.seconds));
  out.set_members(step.members);
  out.set_accumulation_steps(step.accumulation_steps);
  out.set_time(absl::ToDoubleSeconds(record.time - absl::UnixEpoch()));
  out.set_loss_scale_log2(step.loss_scale_log2);
  out.set_gradient_norm(step.gradient_norm);
  return out;
}

}  // namespace tenor

// Messages between a worker and the coordinator.
#include <utility>
#include <variant>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "server/net/wire.h"
#include "server/net/wire_fields.h"

namespace tenor {
namespace {

using wire_fields::CheckCodec;
using wire_fields::CheckName;
using wire_fields::CheckNotNegative;
using wire_fields::CheckWeight;

// ---------------------------------------------------------------- worker -> coordinator

void Fill(const Join& in, wire::WorkerMessage* out) {
  wire::JoinRequest& join = *out->mutable_join();
  join.set_name(in.name);
  join.set_process(in.process.value);
  join.set_lineage(in.lineage);
  join.set_weight(in.weight);
  *join.mutable_handshake() = wire_fields::ToWire(in.hashes);
  for (spec::Compute::Type type : in.compute) join.add_compute(type);
  join.set_processor(in.processor);
}

void Fill(const Heartbeat& in, wire::WorkerMessage* out) {
  wire::Heartbeat& heartbeat = *out->mutable_heartbeat();
  heartbeat.set_name(in.name);
  heartbeat.set_incarnation(in.incarnation.value);
  heartbeat.set_lineage(in.lineage);
  *heartbeat.mutable_label() = wire_fields::ToWire(in.label);
  heartbeat.set_progress(in.progress);
  heartbeat.set_computed(in.computed);
  heartbeat.set_warm(in.warm);
  heartbeat.set_weight(in.weight);
  heartbeat.set_compute_seconds(in.compute_seconds);
  heartbeat.set_wait_seconds(in.wait_seconds);
}

void Fill(const Report& in, wire::WorkerMessage* out) {
  wire::Report& report = *out->mutable_report();
  *report.mutable_label() = wire_fields::ToWire(in.label);
  report.set_name(in.name);
  report.set_incarnation(in.incarnation.value);
  report.set_samples(in.samples);
  report.set_loss_sum(in.loss_sum);
  report.set_finite(in.finite);
  wire_fields::AddLeases(in.consumption, report.mutable_consumption());
}

void Fill(const Retract& in, wire::WorkerMessage* out) {
  wire::Retract& retract = *out->mutable_retract();
  *retract.mutable_label() = wire_fields::ToWire(in.label);
  retract.set_name(in.name);
  retract.set_incarnation(in.incarnation.value);
}

void Fill(const Leave& in, wire::WorkerMessage* out) {
  wire::Leave& leave = *out->mutable_leave();
  leave.set_name(in.name);
  leave.set_incarnation(in.incarnation.value);
  leave.set_lineage(in.lineage);
}

absl::StatusOr<WorkerMessage> Take(const wire::JoinRequest& in) {
  TENOR_RETURN_IF_ERROR(CheckName(in.name()));
  TENOR_RETURN_IF_ERROR(CheckNotNegative("join.lineage", in.lineage()));
  TENOR_RETURN_IF_ERROR(CheckWeight(in.weight()));
  Join join{in.name(),
            ProcessId{in.process()},
            in.lineage(),
            in.weight(),
            wire_fields::FromWire(in.handshake()),
            {},
            in.processor()};
  for (int type : in.compute()) {
    // A type of a later version says nothing to this one.
    if (spec::Compute::Type_IsValid(type)) {
      join.compute.push_back(static_cast<spec::Compute::Type>(type));
    }
  }
  return join;
}

absl::StatusOr<WorkerMessage> Take(const wire::Heartbeat& in) {
  TENOR_RETURN_IF_ERROR(CheckName(in.name()));
  TENOR_RETURN_IF_ERROR(CheckNotNegative("heartbeat.lineage", in.lineage()));
  TENOR_RETURN_IF_ERROR(CheckWeight(in.weight()));
  Heartbeat heartbeat;
  heartbeat.name = in.name();
  heartbeat.incarnation.value = in.incarnation();
  heartbeat.lineage = in.lineage();
  TENOR_ASSIGN_OR_RETURN(heartbeat.label, wire_fields::FromWire(in.label()));
  heartbeat.progress = in.progress();
  heartbeat.computed = in.computed();
  heartbeat.warm = in.warm();
  heartbeat.weight = in.weight();
  heartbeat.compute_seconds = in.compute_seconds();
  heartbeat.wait_seconds = in.wait_seconds();
  return heartbeat;
}

absl::StatusOr<WorkerMessage> Take(const wire::Report& in) {
  TENOR_RETURN_IF_ERROR(CheckName(in.name()));
  TENOR_RETURN_IF_ERROR(CheckNotNegative("report.samples", in.samples()));
  Report report;
  TENOR_ASSIGN_OR_RETURN(report.label, wire_fields::FromWire(in.label()));
  report.name = in.name();
  report.incarnation.value = in.incarnation();
  report.samples = in.samples();
  report.loss_sum = in.loss_sum();
  report.finite = in.finite();
  TENOR_ASSIGN_OR_RETURN(report.consumption, wire_fields::FromWire(in.consumption()));
  return report;
}

absl::StatusOr<WorkerMessage> Take(const wire::Retract& in) {
  TENOR_RETURN_IF_ERROR(CheckName(in.name()));
  Retract retract;
  TENOR_ASSIGN_OR_RETURN(retract.label, wire_fields::FromWire(in.label()));
  retract.name = in.name();
  retract.incarnation.value = in.incarnation();
  return retract;
}

absl::StatusOr<WorkerMessage> Take(const wire::Leave& in) {
  TENOR_RETURN_IF_ERROR(CheckName(in.name()));
  TENOR_RETURN_IF_ERROR(CheckNotNegative("leave.lineage", in.lineage()));
  return Leave{in.name(), Incarnation{in.incarnation()}, in.lineage()};
}

// ---------------------------------------------------------------- coordinator -> worker

void Fill(const Granted& in, wire::CoordinatorToWorker* out) {
  wire::Granted& granted = *out->mutable_granted();
  granted.set_lineage(in.lineage);
  granted.set_incarnation(in.incarnation.value);
  granted.set_version(in.version);
  wire_fields::AddShards(in.shards, granted.mutable_shards());
}

void Fill(const Busy& in, wire::CoordinatorToWorker* out) {
  out->mutable_busy()->set_lineage(in.lineage);
  out->mutable_busy()->set_holder(in.holder);
}

void Fill(const Evicted& in, wire::CoordinatorToWorker* out) {
  wire::Evicted& evicted = *out->mutable_evicted();
  evicted.set_lineage(in.lineage);
  evicted.set_incarnation(in.incarnation.value);
  evicted.set_reason(in.reason);
}

void Fill(const HeartbeatAck& in, wire::CoordinatorToWorker* out) {
  wire::HeartbeatAck& ack = *out->mutable_heartbeat_ack();
  ack.set_lineage(in.lineage);
  ack.set_incarnation(in.incarnation.value);
  ack.set_version(in.version);
  wire_fields::AddShards(in.shards, ack.mutable_shards());
}

void Fill(const Done& in, wire::CoordinatorToWorker* out) {
  wire::Done& done = *out->mutable_done();
  done.set_lineage(in.lineage);
  done.set_reason(in.reason);
  done.set_failed(in.failed);
}

void Fill(const Refused& in, wire::CoordinatorToWorker* out) {
  out->mutable_refused()->set_sentence(in.sentence);
}

void Fill(const Directive& in, wire::CoordinatorToWorker* out) {
  spec::Directive& directive = *out->mutable_directive();
  *directive.mutable_label() = wire_fields::ToWire(in.label);
  directive.set_incarnation(in.incarnation.value);
  directive.set_version(in.version);
  directive.set_accumulation_steps(in.accumulation_steps);
  directive.set_push_codec(in.push_codec);
  directive.set_pull_codec(in.pull_codec);
  directive.set_flush(in.flush);
  directive.set_checkpoint_version(in.rebuild_lanes);
  directive.set_loss_scale_log2(in.loss_scale_log2);
  directive.set_skips(in.skips);
  wire_fields::AddLeases(in.leases, directive.mutable_leases());
  wire_fields::AddLeases(in.hints, directive.mutable_hints());
  wire_fields::AddShards(in.shards, directive.mutable_shards());
  directive.set_last_applied_round(in.last_applied_round);
}

absl::StatusOr<CoordinatorToWorker> Take(const wire::Granted& in) {
  Granted granted{in.lineage(), Incarnation{in.incarnation()}, in.version(), {}};
  TENOR_ASSIGN_OR_RETURN(granted.shards, wire_fields::FromWire(in.shards()));
  return granted;
}

absl::StatusOr<CoordinatorToWorker> Take(const wire::HeartbeatAck& in) {
  HeartbeatAck ack{in.lineage(), Incarnation{in.incarnation()}, in.version(), {}};
  TENOR_ASSIGN_OR_RETURN(ack.shards, wire_fields::FromWire(in.shards()));
  return ack;
}

absl::Status CheckDirective(const spec::Directive& in) {
  TENOR_RETURN_IF_ERROR(CheckNotNegative("directive.version", in.version()));
  TENOR_RETURN_IF_ERROR(CheckNotNegative("directive.skips", in.skips()));
  TENOR_RETURN_IF_ERROR(CheckCodec("directive.push_codec", in.push_codec()));
  TENOR_RETURN_IF_ERROR(CheckCodec("directive.pull_codec", in.pull_codec()));
  if (in.accumulation_steps() >= 1) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("directive.accumulation_steps is ", in.accumulation_steps(), ", not positive"));
}

absl::StatusOr<CoordinatorToWorker> Take(const spec::Directive& in) {
  TENOR_RETURN_IF_ERROR(CheckDirective(in));
  Directive directive;
  TENOR_ASSIGN_OR_RETURN(directive.label, wire_fields::FromWire(in.label()));
  directive.incarnation.value = in.incarnation();
  directive.version = in.version();
  directive.accumulation_steps = in.accumulation_steps();
  directive.push_codec = in.push_codec();
  directive.pull_codec = in.pull_codec();
  directive.flush = in.flush();
  directive.rebuild_lanes = in.checkpoint_version();
  directive.loss_scale_log2 = in.loss_scale_log2();
  directive.skips = in.skips();
  TENOR_ASSIGN_OR_RETURN(directive.leases, wire_fields::FromWire(in.leases()));
  TENOR_ASSIGN_OR_RETURN(directive.hints, wire_fields::FromWire(in.hints()));
  TENOR_ASSIGN_OR_RETURN(directive.shards, wire_fields::FromWire(in.shards()));
  directive.last_applied_round = in.last_applied_round();
  return directive;
}

}  // namespace

wire::WorkerMessage ToWire(const WorkerMessage& message) {
  wire::WorkerMessage out;
  std::visit([&out](const auto& one) { Fill(one, &out); }, message);
  return out;
}

absl::StatusOr<WorkerMessage> FromWire(const wire::WorkerMessage& message) {
  switch (message.kind_case()) {
    case wire::WorkerMessage::kJoin:
      return Take(message.join());
    case wire::WorkerMessage::kHeartbeat:
      return Take(message.heartbeat());
    case wire::WorkerMessage::kReport:
      return Take(message.report());
    case wire::WorkerMessage::kRetract:
      return Take(message.retract());
    case wire::WorkerMessage::kLeave:
      return Take(message.leave());
    case wire::WorkerMessage::KIND_NOT_SET:
      break;
  }
  return absl::InvalidArgumentError("a message of a worker has no kind known here");
}

wire::CoordinatorToWorker ToWire(const CoordinatorToWorker& message) {
  wire::CoordinatorToWorker out;
  std::visit([&out](const auto& one) { Fill(one, &out); }, message);
  return out;
}

absl::StatusOr<CoordinatorToWorker> FromWire(const wire::CoordinatorToWorker& message) {
  switch (message.kind_case()) {
    case wire::CoordinatorToWorker::kGranted:
      return Take(message.granted());
    case wire::CoordinatorToWorker::kBusy:
      return Busy{message.busy().lineage(), message.busy().holder()};
    case wire::CoordinatorToWorker::kEvicted:
      return Evicted{message.evicted().lineage(), Incarnation{message.evicted().incarnation()},
                     message.evicted().reason()};
    case wire::CoordinatorToWorker::kHeartbeatAck:
      return Take(message.heartbeat_ack());
    case wire::CoordinatorToWorker::kDone:
      return Done{message.done().lineage(), message.done().reason(), message.done().failed()};
    case wire::CoordinatorToWorker::kRefused:
      return Refused{message.refused().sentence()};
    case wire::CoordinatorToWorker::kDirective:
      return Take(message.directive());
    case wire::CoordinatorToWorker::KIND_NOT_SET:
      break;
  }
  return absl::InvalidArgumentError("a message of the coordinator has no kind known here");
}

}  // namespace tenor

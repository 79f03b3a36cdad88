// Messages between a shard and the coordinator.
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

// ---------------------------------------------------------------- enums

wire::ShardPhase::Type ToWire(ShardPhase phase) {
  switch (phase) {
    case ShardPhase::kEmpty:
      return wire::ShardPhase::EMPTY;
    case ShardPhase::kDraining:
      return wire::ShardPhase::DRAINING;
    case ShardPhase::kLoading:
      return wire::ShardPhase::LOADING;
    case ShardPhase::kIdle:
      return wire::ShardPhase::IDLE;
    case ShardPhase::kOpen:
      return wire::ShardPhase::OPEN;
    case ShardPhase::kNorming:
      return wire::ShardPhase::NORMING;
    case ShardPhase::kNormsDone:
      return wire::ShardPhase::NORMS_DONE;
    case ShardPhase::kApplying:
      return wire::ShardPhase::APPLYING;
  }
  return wire::ShardPhase::EMPTY;
}

absl::StatusOr<ShardPhase> FromWire(wire::ShardPhase::Type phase) {
  switch (phase) {
    case wire::ShardPhase::EMPTY:
      return ShardPhase::kEmpty;
    case wire::ShardPhase::DRAINING:
      return ShardPhase::kDraining;
    case wire::ShardPhase::LOADING:
      return ShardPhase::kLoading;
    case wire::ShardPhase::IDLE:
      return ShardPhase::kIdle;
    case wire::ShardPhase::OPEN:
      return ShardPhase::kOpen;
    case wire::ShardPhase::NORMING:
      return ShardPhase::kNorming;
    case wire::ShardPhase::NORMS_DONE:
      return ShardPhase::kNormsDone;
    case wire::ShardPhase::APPLYING:
      return ShardPhase::kApplying;
    default:
      return absl::InvalidArgumentError(
          absl::StrCat("status.phase is no phase known here: ", static_cast<int>(phase)));
  }
}

wire::LoadError::Kind ToWire(LoadErrorKind kind) {
  switch (kind) {
    case LoadErrorKind::kNone:
      return wire::LoadError::NONE;
    case LoadErrorKind::kDamaged:
      return wire::LoadError::DAMAGED;
    case LoadErrorKind::kOther:
      return wire::LoadError::OTHER;
  }
  return wire::LoadError::NONE;
}

// A kind of a later version is an error that this one cannot name: kOther.
LoadErrorKind FromWire(wire::LoadError::Kind kind) {
  switch (kind) {
    case wire::LoadError::NONE:
      return LoadErrorKind::kNone;
    case wire::LoadError::DAMAGED:
      return LoadErrorKind::kDamaged;
    default:
      return LoadErrorKind::kOther;
  }
}

spec::Verdict::Type ToWire(VerdictKind verdict) {
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

absl::StatusOr<VerdictKind> FromWire(spec::Verdict::Type verdict) {
  switch (verdict) {
    case spec::Verdict::APPLIED:
      return VerdictKind::kApply;
    case spec::Verdict::SKIPPED:
      return VerdictKind::kSkip;
    case spec::Verdict::DROPPED:
      return VerdictKind::kDrop;
    case spec::Verdict::VOID:
      return VerdictKind::kVoid;
    default:
      return absl::InvalidArgumentError(
          absl::StrCat("finish.verdict is no verdict known here: ", static_cast<int>(verdict)));
  }
}

// ---------------------------------------------------------------- Status, by parts

void FillRound(const Status& in, wire::Status* out) {
  out->set_phase(ToWire(in.phase));
  *out->mutable_open() = wire_fields::ToWire(in.open);
  out->set_ready(in.ready);
  out->set_finite(in.finite);
  for (double sum : in.square_sums) out->add_square_sums(sum);
  for (const PartialNorm& norm : in.norms) {
    wire::PartialNorm& added = *out->add_norms();
    added.set_tensor(norm.tensor);
    added.set_weight_square(norm.weight_square);
    added.set_update_square(norm.update_square);
  }
  out->set_finished(in.finished);
  out->set_version(in.version);
  for (const std::string& name : in.waits_for) out->add_waits_for(name);
  out->set_bytes_held(in.bytes_held);
}

void FillFiles(const Status& in, wire::Status* out) {
  out->set_saved_lineage(in.saved.lineage);
  out->set_saved_round(in.saved.round);
  out->set_saved_version(in.saved.version);
  out->mutable_saved_file()->set_name(in.saved_file.name);
  out->mutable_saved_file()->set_bytes(in.saved_file.bytes);
  out->mutable_saved_file()->set_crc32c(in.saved_file.crc32c);
  out->set_failed_lineage(in.failed.lineage);
  out->set_failed_round(in.failed.round);
  out->set_failed_version(in.failed.version);
  out->set_save_error(in.save_error);
  out->set_load_error_lineage(in.load_error_lineage);
  out->set_load_error(ToWire(in.load_error));
  out->set_load_error_text(in.load_error_text);
}

absl::Status TakeRound(const wire::Status& in, Status* out) {
  TENOR_ASSIGN_OR_RETURN(out->phase, FromWire(in.phase()));
  TENOR_ASSIGN_OR_RETURN(out->open, wire_fields::FromWire(in.open()));
  TENOR_RETURN_IF_ERROR(CheckNotNegative("status.version", in.version()));
  TENOR_RETURN_IF_ERROR(CheckNotNegative("status.bytes_held", in.bytes_held()));
  out->ready = in.ready();
  out->finite = in.finite();
  out->square_sums.assign(in.square_sums().begin(), in.square_sums().end());
  for (const wire::PartialNorm& norm : in.norms()) {
    TENOR_RETURN_IF_ERROR(CheckNotNegative("status.norms.tensor", norm.tensor()));
    out->norms.push_back({norm.tensor(), norm.weight_square(), norm.update_square()});
  }
  out->finished = in.finished();
  out->version = in.version();
  out->waits_for.assign(in.waits_for().begin(), in.waits_for().end());
  out->bytes_held = in.bytes_held();
  return absl::OkStatus();
}

absl::Status TakeFiles(const wire::Status& in, Status* out) {
  TENOR_RETURN_IF_ERROR(CheckNotNegative("status.saved_file.bytes", in.saved_file().bytes()));
  out->saved = {in.saved_lineage(), in.saved_round(), in.saved_version()};
  out->saved_file = {in.saved_file().name(), in.saved_file().bytes(), in.saved_file().crc32c()};
  out->failed = {in.failed_lineage(), in.failed_round(), in.failed_version()};
  out->save_error = in.save_error();
  out->load_error_lineage = in.load_error_lineage();
  out->load_error = FromWire(in.load_error());
  out->load_error_text = in.load_error_text();
  return absl::OkStatus();
}

// ---------------------------------------------------------------- coordinator -> shard

void Fill(const HelloAck& in, wire::CoordinatorToShard* out) {
  out->mutable_hello_ack()->set_lineage(in.lineage);
  out->mutable_hello_ack()->set_nonce(in.nonce);
}

void Fill(const Busy& in, wire::CoordinatorToShard* out) {
  out->mutable_busy()->set_lineage(in.lineage);
  out->mutable_busy()->set_holder(in.holder);
}

void Fill(const Install& in, wire::CoordinatorToShard* out) {
  wire::Install& install = *out->mutable_install();
  install.set_lineage(in.lineage);
  install.mutable_base()->set_lineage(in.base.lineage);
  install.mutable_base()->set_round(in.base.round);
  install.mutable_base()->set_version(in.base.version);
  install.set_pull_codec(in.pull_codec);
}

void Fill(const Open& in, wire::CoordinatorToShard* out) {
  wire::Open& open = *out->mutable_open();
  *open.mutable_label() = wire_fields::ToWire(in.label);
  open.set_version(in.version);
  for (const Member& member : in.view) {
    wire::ViewMember& added = *open.add_view();
    added.set_name(member.name);
    added.set_incarnation(member.incarnation.value);
    added.set_weight(member.weight);
  }
  open.set_push_codec(in.push_codec);
  open.set_pull_codec(in.pull_codec);
  open.set_loss_scale_log2(in.loss_scale_log2);
}

void Fill(const Decide& in, wire::CoordinatorToShard* out) {
  wire::Decide& decide = *out->mutable_decide();
  *decide.mutable_label() = wire_fields::ToWire(in.label);
  decide.set_divisor(in.divisor);
  decide.set_coefficient(in.coefficient);
  decide.set_update_count(in.update_count);
}

void Fill(const Finish& in, wire::CoordinatorToShard* out) {
  wire::Finish& finish = *out->mutable_finish();
  *finish.mutable_label() = wire_fields::ToWire(in.label);
  finish.set_verdict(ToWire(in.verdict));
  finish.set_divisor(in.divisor);
  finish.set_coefficient(in.coefficient);
  finish.set_loss_scale_log2(in.loss_scale_log2);
  finish.set_learning_rate(in.learning_rate);
  finish.set_update_count(in.update_count);
  for (double ratio : in.trust_ratios) finish.add_trust_ratios(ratio);
  finish.set_save(in.save);
}

void Fill(const Cut& in, wire::CoordinatorToShard* out) {
  out->mutable_cut()->set_lineage(in.lineage);
  out->mutable_cut()->set_round(in.round);
}

void Fill(const Done& in, wire::CoordinatorToShard* out) {
  wire::Done& done = *out->mutable_done();
  done.set_lineage(in.lineage);
  done.set_reason(in.reason);
  done.set_failed(in.failed);
}

void Fill(const Refused& in, wire::CoordinatorToShard* out) {
  out->mutable_refused()->set_sentence(in.sentence);
}

absl::StatusOr<CoordinatorToShard> Take(const wire::Install& in) {
  TENOR_RETURN_IF_ERROR(CheckNotNegative("install.base.version", in.base().version()));
  TENOR_RETURN_IF_ERROR(CheckCodec("install.pull_codec", in.pull_codec()));
  return Install{
      in.lineage(), {in.base().lineage(), in.base().round(), in.base().version()}, in.pull_codec()};
}

absl::StatusOr<CoordinatorToShard> Take(const wire::Open& in) {
  TENOR_RETURN_IF_ERROR(CheckNotNegative("open.version", in.version()));
  TENOR_RETURN_IF_ERROR(CheckCodec("open.push_codec", in.push_codec()));
  TENOR_RETURN_IF_ERROR(CheckCodec("open.pull_codec", in.pull_codec()));
  Open open;
  TENOR_ASSIGN_OR_RETURN(open.label, wire_fields::FromWire(in.label()));
  open.version = in.version();
  for (const wire::ViewMember& member : in.view()) {
    TENOR_RETURN_IF_ERROR(CheckName(member.name()));
    open.view.push_back({member.name(), Incarnation{member.incarnation()}, member.weight()});
  }
  open.push_codec = in.push_codec();
  open.pull_codec = in.pull_codec();
  open.loss_scale_log2 = in.loss_scale_log2();
  return open;
}

absl::StatusOr<CoordinatorToShard> Take(const wire::Decide& in) {
  Decide decide;
  TENOR_ASSIGN_OR_RETURN(decide.label, wire_fields::FromWire(in.label()));
  decide.divisor = in.divisor();
  decide.coefficient = in.coefficient();
  decide.update_count = in.update_count();
  return decide;
}

absl::StatusOr<CoordinatorToShard> Take(const wire::Finish& in) {
  Finish finish;
  TENOR_ASSIGN_OR_RETURN(finish.label, wire_fields::FromWire(in.label()));
  TENOR_ASSIGN_OR_RETURN(finish.verdict, FromWire(in.verdict()));
  finish.divisor = in.divisor();
  finish.coefficient = in.coefficient();
  finish.loss_scale_log2 = in.loss_scale_log2();
  finish.learning_rate = in.learning_rate();
  finish.update_count = in.update_count();
  finish.trust_ratios.assign(in.trust_ratios().begin(), in.trust_ratios().end());
  finish.save = in.save();
  return finish;
}

}  // namespace

wire::Status ToWire(const Status& status) {
  wire::Status out;
  out.set_process(status.process.value);
  out.set_shard(status.shard);
  out.set_nonce(status.nonce);
  out.set_lineage(status.lineage);
  *out.mutable_handshake() = wire_fields::ToWire(status.hashes);
  out.set_shards(status.shards);
  out.set_wants_to_leave(status.wants_to_leave);
  out.set_address(status.address);
  out.set_run_nonce(status.run_nonce);
  FillRound(status, &out);
  FillFiles(status, &out);
  return out;
}

absl::StatusOr<Status> FromWire(const wire::Status& status) {
  TENOR_RETURN_IF_ERROR(CheckNotNegative("status.shard", status.shard()));
  TENOR_RETURN_IF_ERROR(CheckNotNegative("status.lineage", status.lineage()));
  Status out;
  out.process.value = status.process();
  out.shard = status.shard();
  out.nonce = status.nonce();
  out.lineage = status.lineage();
  out.hashes = wire_fields::FromWire(status.handshake());
  out.shards = status.shards();
  out.wants_to_leave = status.wants_to_leave();
  out.address = status.address();
  out.run_nonce = status.run_nonce();
  TENOR_RETURN_IF_ERROR(TakeRound(status, &out));
  TENOR_RETURN_IF_ERROR(TakeFiles(status, &out));
  return out;
}

wire::CoordinatorToShard ToWire(const CoordinatorToShard& message) {
  wire::CoordinatorToShard out;
  std::visit([&out](const auto& one) { Fill(one, &out); }, message);
  return out;
}

absl::StatusOr<CoordinatorToShard> FromWire(const wire::CoordinatorToShard& message) {
  switch (message.kind_case()) {
    case wire::CoordinatorToShard::kHelloAck:
      return HelloAck{message.hello_ack().lineage(), message.hello_ack().nonce()};
    case wire::CoordinatorToShard::kBusy:
      return Busy{message.busy().lineage(), message.busy().holder()};
    case wire::CoordinatorToShard::kInstall:
      return Take(message.install());
    case wire::CoordinatorToShard::kOpen:
      return Take(message.open());
    case wire::CoordinatorToShard::kDecide:
      return Take(message.decide());
    case wire::CoordinatorToShard::kFinish:
      return Take(message.finish());
    case wire::CoordinatorToShard::kCut:
      return Cut{message.cut().lineage(), message.cut().round()};
    case wire::CoordinatorToShard::kDone:
      return Done{message.done().lineage(), message.done().reason(), message.done().failed()};
    case wire::CoordinatorToShard::kRefused:
      return Refused{message.refused().sentence()};
    case wire::CoordinatorToShard::KIND_NOT_SET:
      break;
  }
  return absl::InvalidArgumentError("an order of the coordinator has no kind known here");
}

}  // namespace tenor

// Claims, rollback, exit (docs/protocol.md 1, 4).
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "server/core/coordinator_machine.h"

namespace tenor {

Coordinator::Machine::Machine(CoordinatorConfig config)
    : config_(std::move(config)),
      data_(DataShapeOf(config_.job)),
      scaler_rules_(ScalerRulesOf(config_.job.loss_scale(), config_.scale_loss)),
      seats_(config_.name_hold),
      shards_(config_.shards, config_.process, config_.server_grace),
      ledger_(data_, spec::Ledger()),
      tunables_(WithDefaults(config_.job.tunables())) {}

void Coordinator::Machine::Start() { BeginClaim(); }

std::vector<Effect> Coordinator::Machine::TakeEffects() { return std::exchange(effects_, {}); }

void Coordinator::Machine::Say(ConnectionId connection, CoordinatorToWorker message) {
  effects_.push_back(ToWorker{connection, std::move(message)});
}

void Coordinator::Machine::Order(int32_t shard, CoordinatorToShard message) {
  effects_.push_back(ToShard{shards_.at(shard).connection, shard, std::move(message)});
}

void Coordinator::Machine::Log(absl::string_view kind, std::string who, std::string reason,
                               std::string detail) {
  effects_.push_back(Note{kind, std::move(who), std::move(reason), std::move(detail), round_.label,
                          record_.version(), false});
}

void Coordinator::Machine::Alarm(absl::string_view kind, std::string who, std::string reason,
                                 std::string detail) {
  Log(kind, std::move(who), std::move(reason), std::move(detail));
  std::get<Note>(effects_.back()).alarm = true;
}

void Coordinator::Machine::Answer(RequestId request, absl::Status status) {
  if (request.value == 0) return;
  Reply reply;
  reply.request = request;
  reply.status = std::move(status);
  effects_.push_back(reply);
}

void Coordinator::Machine::ExitWith(int code, const std::string& sentence) {
  Log("exit", "", sentence, absl::StrCat("code ", code));
  effects_.push_back(Exit{code, sentence});
  state_ = State::kExited;
}

void Coordinator::Machine::BeginClaim() {
  state_ = State::kClaiming;
  claim_operation_ = NextOperation();
  effects_.push_back(ClaimLineage{claim_operation_, WithDefaults(config_.job.tunables())});
}

void Coordinator::Machine::Rollback(const std::string& reason) {
  Alarm("rollback", "", reason);
  DropLineage();
  BeginClaim();
}

void Coordinator::Machine::DropLineage() {
  round_ = OpenRound();
  decided_.reset();
  if (save_) AbandonSave("the lineage is rolled back");
  DropSets(absl::UnavailableError("the run rolls back; try again"));
  watch_operation_ = {};
  too_few_since_.reset();
}

OperationId Coordinator::Machine::ReadTheClaim() {
  const OperationId operation = NextOperation();
  effects_.push_back(ReadClaim{operation});
  return operation;
}

spec::Record Coordinator::Machine::FirstRecord() const {
  spec::Record record;
  *record.mutable_scaler() = InitialScaler(scaler_rules_);
  return record;
}

absl::Status Coordinator::Machine::CheckRecord(const Claimed& claim) const {
  if (!claim.record) {
    if (claim.base == CheckpointName()) return absl::OkStatus();
    return absl::DataLossError("the manifest of the base has no record");
  }
  if (claim.record->round() != claim.base.round || claim.record->version() != claim.base.version) {
    return absl::DataLossError(absl::StrCat(
        "the base is version ", claim.base.version, ", round ", claim.base.round,
        ", its record version ", claim.record->version(), ", round ", claim.record->round()));
  }
  return Ledger::CheckDurable(data_, claim.record->ledger());
}

void Coordinator::Machine::On(const Claimed& event) {
  if (event.operation != claim_operation_ || state_ != State::kClaiming) return;
  claim_operation_ = {};
  if (!event.error.ok()) {
    return ExitWith(1, absl::StrCat("no lineage could be claimed: ", event.error.message()));
  }
  if (absl::Status status = CheckRecord(event); !status.ok()) {
    return ExitWith(1, absl::StrCat("cannot start from the base: ", status.message()));
  }
  StartFrom(event);
  end_was_found_ = record_.ended();
  if (end_was_found_) return FinishRun();
  if (stop_asked_) return BeginEnding();
  OrderAll();
}

void Coordinator::Machine::StartFrom(const Claimed& claim) {
  lineage_ = claim.lineage;
  base_ = claim.base;
  record_ = claim.record.value_or(FirstRecord());
  ledger_.Restore(record_.ledger());
  record_.clear_ledger();
  tunables_ = TunablesBook(WithDefaults(claim.tunables));
  seats_.ForgetApplied();
  views_ = 0;
  round_.label = {lineage_, record_.round(), 0};
  durable_round_ = record_.round();
  newest_checkpoint_.reset();
  if (claim.record) newest_checkpoint_ = base_;
  newest_checkpoint_at_ = clock_;
  cut_version_ = record_.version();
  no_cut_before_ = clock_;
  watched_at_ = now_;
  ever_decided_ = ever_decided_ || record_.round() > 0;
  state_ = State::kInstalling;
  ++counts_.lineages;
  Log("claim", "", absl::StrCat("lineage ", lineage_),
      absl::StrCat("base version ", base_.version, " of lineage ", base_.lineage, ", round ",
                   base_.round));
  const bool changed = claim.record && record_.tunables().SerializeAsString() !=
                                           tunables_.accepted().SerializeAsString();
  if (changed) Log("tunables", "", "newest accepted hold from the base on");
}

bool Coordinator::Machine::Replaced(Lineage heard, absl::string_view from) {
  if (state_ == State::kClaiming || heard <= lineage_) return false;
  ExitWith(3, absl::StrCat("replaced by a newer coordinator: lineage ", heard, " (", from,
                           ") is newer than ", lineage_));
  return true;
}

void Coordinator::Machine::On(const ClaimRead& event) {
  if (event.error.ok() && Replaced(event.newest, "claim")) return;
  if (event.operation == watch_operation_) watch_operation_ = {};
  if (save_ && save_->operation == event.operation) OnSaveClaimRead(event);
  if (set_ && set_->operation == event.operation) OnSetClaimRead(event);
}

void Coordinator::Machine::OnDamagedBase(const std::string& who, const std::string& why) {
  Alarm("damaged", who, why, absl::StrCat("version ", base_.version));
  DropLineage();
  state_ = State::kClaiming;
  rename_operation_ = NextOperation();
  effects_.push_back(RenameDamaged{rename_operation_, base_});
}

void Coordinator::Machine::On(const DamagedRenamed& event) {
  if (event.operation != rename_operation_) return;
  rename_operation_ = {};
  if (!event.error.ok()) {
    return ExitWith(
        1, absl::StrCat("a damaged checkpoint cannot be set aside: ", event.error.message()));
  }
  BeginClaim();
}

}  // namespace tenor

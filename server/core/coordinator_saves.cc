// Cuts, manifests and the end of the run (docs/protocol.md 4).
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "server/core/coordinator_machine.h"
#include "server/core/save.h"

namespace tenor {

namespace {

std::string Show(const CheckpointName& name) {
  return absl::StrCat("version ", name.version, " of lineage ", name.lineage, ", round ",
                      name.round);
}

}  // namespace

spec::Record Coordinator::Machine::RecordNow() const {
  spec::Record record = record_;
  *record.mutable_ledger() = ledger_.Durable();
  *record.mutable_tunables() = tunables_.accepted();
  return record;
}

void Coordinator::Machine::StartSave(bool by_cut) {
  const CheckpointName name = NameNow();
  std::set<int32_t> failed_before;
  for (int32_t shard = 0; shard < shards_.size(); ++shard) {
    const CheckpointName& failed = shards_.at(shard).last.failed;
    if (failed.lineage == name.lineage && failed.round == name.round) failed_before.insert(shard);
  }
  save_.emplace(name, RecordNow(), by_cut, config_.shards, std::move(failed_before));
  save_->requests = std::exchange(checkpoint_requests_, {});
  cut_asked_ = false;
  cut_version_ = record_.version();
}

void Coordinator::Machine::StartCut() {
  if (save_ || NewestIsCurrent() || clock_ < no_cut_before_) return;
  StartSave(true);
  OrderAll();
}

void Coordinator::Machine::AbandonSave(const std::string& why) {
  Alarm("save_failed", "", why, Show(save_->name()));
  for (RequestId request : save_->requests) {
    Answer(request, absl::AbortedError(absl::StrCat("the checkpoint failed: ", why)));
  }
  if (save_->by_cut()) no_cut_before_ = clock_ + config_.save_retry;
  save_.reset();
}

void Coordinator::Machine::OnSaveClaimRead(const ClaimRead& event) {
  save_->operation = {};
  if (save_->stage == Save::Stage::kReadBefore) {
    if (event.error.ok()) return WriteTheManifest();
    return AbandonSave(absl::StrCat("the claim cannot be read: ", event.error.message()));
  }
  // The manifest is there but counts only after a successful read: the tick repeats a failed one.
  if (event.error.ok()) CheckpointIsDurable();
}

void Coordinator::Machine::ReadClaimAgain() {
  const bool wanted =
      save_ && save_->stage == Save::Stage::kReadAfter && save_->operation.value == 0;
  if (wanted) save_->operation = ReadTheClaim();
}

void Coordinator::Machine::WriteTheManifest() {
  save_->stage = Save::Stage::kWrite;
  save_->operation = NextOperation();
  effects_.push_back(
      WriteManifest{save_->operation, save_->name(), save_->record(), save_->Files()});
}

void Coordinator::Machine::On(const ManifestWritten& event) {
  if (!save_ || save_->operation != event.operation) return;
  if (!event.error.ok()) {
    return AbandonSave(absl::StrCat("the manifest cannot be written: ", event.error.message()));
  }
  save_->stage = Save::Stage::kReadAfter;
  save_->operation = ReadTheClaim();
}

void Coordinator::Machine::CheckpointIsDurable() {
  const CheckpointName name = save_->name();
  durable_round_ = name.round;
  newest_checkpoint_ = name;
  newest_checkpoint_at_ = clock_;
  const spec::Tunables& tunables = tunables_.in_force();
  effects_.push_back(Prune{tunables.keep_checkpoints(), tunables.keep_every(), base_, name});
  Log("checkpoint", "", Show(name));
  AnswerCheckpoints(save_->requests, name);
  save_.reset();
  for (int32_t shard = 0; shard < shards_.size(); ++shard) LetLeave(shard);
  if (state_ == State::kEnding) return ContinueEnding();
  Retry();
}

void Coordinator::Machine::AnswerCheckpoints(const std::vector<RequestId>& requests,
                                             const CheckpointName& name) {
  for (RequestId request : requests) {
    if (request.value == 0) continue;
    Reply reply;
    reply.request = request;
    reply.sentence = absl::StrCat("saved ", Show(name));
    reply.checkpoint = name;
    effects_.push_back(reply);
  }
}

void Coordinator::Machine::BeginEnding() {
  state_ = State::kEnding;
  Log("ending", "", record_.ended() ? record_.end_reason() : stop_reason_);
  ContinueEnding();
}

void Coordinator::Machine::ContinueEnding() {
  if (save_) return;
  if (NewestIsCurrent()) return FinishRun();
  StartCut();
}

void Coordinator::Machine::FinishRun() {
  state_ = State::kDone;
  done_at_ = clock_;
  if (record_.ended()) {
    stop_reason_ = record_.end_reason();
    stop_failed_ = false;
  }
  Log("done", "", stop_reason_);
  for (const auto& [name, seat] : seats_.all()) SayDone(seat.connection);
  for (int32_t shard = 0; shard < shards_.size(); ++shard) {
    if (shards_.at(shard).process) Order(shard, Done{lineage_, stop_reason_, stop_failed_});
  }
  DropSets(absl::FailedPreconditionError("the run is over"));
  const std::vector<RequestId> requests = std::exchange(checkpoint_requests_, {});
  if (newest_checkpoint_) return AnswerCheckpoints(requests, *newest_checkpoint_);
  for (RequestId request : requests) {
    Answer(request, absl::FailedPreconditionError("the run is over"));
  }
}

}  // namespace tenor

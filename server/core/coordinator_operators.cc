// What operators ask for (docs/protocol.md 5).
#include <algorithm>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "base/status.h"
#include "server/core/coordinator_machine.h"
#include "server/core/tunables.h"

namespace tenor {

namespace {

// Changes that wait for the one before; more are refused.
constexpr size_t kMaxSets = 64;
constexpr size_t kMaxCheckpointRequests = 64;
constexpr absl::Duration kEvictPenalty = absl::Seconds(60);

Reply Accepted(RequestId request, std::string sentence) {
  Reply reply;
  reply.request = request;
  reply.sentence = std::move(sentence);
  return reply;
}

}  // namespace

Version Coordinator::Machine::FromStep(Version at_step) const {
  const bool frozen = state_ == State::kCollecting || state_ == State::kSuspended;
  return std::max(at_step, record_.version() + (frozen ? 1 : 0));
}

absl::Status Coordinator::Machine::CheckSet(const SetTunables& request) const {
  if (state_ == State::kClaiming) {
    return absl::UnavailableError("the coordinator is claiming a lineage; try again");
  }
  if (state_ == State::kDone) return absl::FailedPreconditionError("the run is over");
  TENOR_RETURN_IF_ERROR(CheckTunables(request.change));
  TENOR_RETURN_IF_ERROR(CheckTunables(tunables_.Merged(request.change)));
  if (request.at_step != 0 && request.at_step < record_.version()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "at_step ", request.at_step, " is over: the run is at step ", record_.version()));
  }
  if (sets_.size() >= kMaxSets) {
    return absl::ResourceExhaustedError("too many changes wait; try again");
  }
  return absl::OkStatus();
}

void Coordinator::Machine::On(const SetTunables& event) {
  if (absl::Status status = CheckSet(event); !status.ok()) return Answer(event.request, status);
  if (event.dry_run) return ReplyToSet(event, tunables_.Merged(event.change));
  sets_.push_back(event);
  StartNextSet();
}

void Coordinator::Machine::StartNextSet() {
  if (set_ || sets_.empty()) return;
  set_ = SetInFlight{std::move(sets_.front()), SetInFlight::Stage::kReadBefore, ReadTheClaim()};
  sets_.pop_front();
}

void Coordinator::Machine::OnSetClaimRead(const ClaimRead& event) {
  if (!event.error.ok()) {
    return EndSet(absl::UnavailableError(
        absl::StrCat("the claim cannot be read: ", event.error.message(), "; try again")));
  }
  if (set_->stage == SetInFlight::Stage::kReadAfter) return AcceptSet();
  set_->stage = SetInFlight::Stage::kWrite;
  set_->operation = NextOperation();
  effects_.push_back(
      WriteTunables{set_->operation, lineage_, base_, tunables_.Merged(set_->request.change)});
}

void Coordinator::Machine::On(const TunablesWritten& event) {
  if (!set_ || set_->operation != event.operation) return;
  if (!event.error.ok()) {
    return EndSet(absl::UnavailableError(
        absl::StrCat("the change cannot be written: ", event.error.message(), "; try again")));
  }
  set_->stage = SetInFlight::Stage::kReadAfter;
  set_->operation = ReadTheClaim();
}

void Coordinator::Machine::EndSet(absl::Status status) {
  if (!set_) return;
  Answer(set_->request.request, std::move(status));
  set_.reset();
  StartNextSet();
}

void Coordinator::Machine::DropSets(const absl::Status& status) {
  for (const SetTunables& waiting : std::exchange(sets_, {})) Answer(waiting.request, status);
  EndSet(status);
}

void Coordinator::Machine::AcceptSet() {
  const SetTunables request = set_->request;
  set_.reset();
  tunables_.Accept(request.change, request.at_step);
  ReplyToSet(request, tunables_.accepted());
  Log("tunables", "", request.change.ShortDebugString(),
      absl::StrCat("from step ", FromStep(request.at_step)));
  StartNextSet();
  Retry();
}

void Coordinator::Machine::ReplyToSet(const SetTunables& request, const spec::Tunables& accepted) {
  const Version from = FromStep(request.at_step);
  Reply reply = Accepted(request.request, absl::StrCat("from step ", from));
  reply.from_step = from;
  reply.accepted = accepted;
  if (request.request.value != 0) effects_.push_back(std::move(reply));
}

void Coordinator::Machine::On(const StopRun& event) {
  if (state_ != State::kDone && !stop_asked_) {
    stop_asked_ = true;
    stop_reason_ = event.reason;
    Log("stop", "", event.reason);
    const bool now = state_ == State::kInstalling || state_ == State::kSuspended;
    if (now) BeginEnding();
    if (state_ == State::kWaiting) Boundary();
  }
  if (event.request.value == 0) return;
  effects_.push_back(Accepted(event.request, state_ == State::kDone
                                                 ? "the run is over"
                                                 : "the run ends after its last checkpoint"));
}

void Coordinator::Machine::On(const CheckpointNow& event) {
  if (state_ == State::kDone) {
    return Answer(event.request, absl::FailedPreconditionError("the run is over"));
  }
  const bool nothing_new =
      state_ != State::kClaiming && NewestIsCurrent() && newest_checkpoint_.has_value();
  if (nothing_new) return AnswerCheckpoints({event.request}, *newest_checkpoint_);
  if (checkpoint_requests_.size() >= kMaxCheckpointRequests) {
    return Answer(event.request, absl::ResourceExhaustedError("too many requests wait; try again"));
  }
  checkpoint_requests_.push_back(event.request);
  cut_asked_ = true;
  if (state_ == State::kWaiting) Boundary();
  if (state_ == State::kSuspended) StartCut();
}

void Coordinator::Machine::On(const EvictMember& event) {
  if (state_ == State::kClaiming) {
    return Answer(event.request,
                  absl::UnavailableError("the coordinator is claiming a lineage; try again"));
  }
  if (seats_.Find(event.name) == nullptr) {
    return Answer(event.request,
                  absl::NotFoundError(absl::StrCat("no member is called '", event.name, "'")));
  }
  EvictSeat(event.name, "evicted by an operator", kEvictPenalty);
  if (event.request.value == 0) return;
  effects_.push_back(Accepted(
      event.request,
      absl::StrCat(event.name, " is out for ", absl::FormatDuration(kEvictPenalty), " at least")));
}

}  // namespace tenor

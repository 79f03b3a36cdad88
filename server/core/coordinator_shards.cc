// Statuses of shards and the orders that follow (docs/protocol.md 2, 4).
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "server/core/coordinator_machine.h"
#include "server/core/handshake.h"

namespace tenor {

namespace {

std::string ServerName(int32_t shard) { return absl::StrCat("server ", shard); }

}  // namespace

void Coordinator::Machine::On(const ShardSays& event) {
  const Status& status = event.status;
  if (std::optional<std::string> why = WhyRefuse(config_, status)) {
    Log("refused", "", *why);
    effects_.push_back(ToShard{event.connection, status.shard, Refused{*std::move(why)}});
    return;
  }
  if (!Replaced(status.lineage, ServerName(status.shard))) NoteStatus(event);
}

void Coordinator::Machine::On(const ShardStreamClosed& event) {
  shards_.StreamClosed(event.connection);
}

void Coordinator::Machine::NoteStatus(const ShardSays& event) {
  const int32_t shard = event.status.shard;
  uint64_t nonce = 0;
  const auto reply = [&](CoordinatorToShard message) {
    effects_.push_back(ToShard{event.connection, shard, std::move(message)});
  };
  switch (shards_.Note(event.connection, event.status, clock_, ticks_, &nonce)) {
    case ShardTable::Answer::kBusy:
      return reply(Busy{lineage_, shards_.at(shard).last.address});
    case ShardTable::Answer::kAskNonce:
      return reply(HelloAck{lineage_, nonce});
    case ShardTable::Answer::kWait:
      return;
    case ShardTable::Answer::kPresent:
      return HandleStatus(shard);
    case ShardTable::Answer::kTaken:
    case ShardTable::Answer::kReplaced:
      break;
  }
  const bool replaced = shards_.at(shard).was_replaced;
  Log("server", ServerName(shard), replaced ? "another process" : "is here", event.status.address);
  if (state_ == State::kClaiming || state_ == State::kDone) return HandleStatus(shard);
  if (!replaced && state_ == State::kInstalling) return HandleStatus(shard);
  Rollback(absl::StrCat(ServerName(shard), " is another process"));
}

void Coordinator::Machine::HandleStatus(int32_t shard) {
  if (state_ == State::kClaiming) return;
  if (state_ == State::kDone) return Order(shard, Done{lineage_, stop_reason_, stop_failed_});
  NoteLoadError(shard);
  if (state_ == State::kClaiming) return;
  if (shards_.at(shard).last.lineage == lineage_) {
    if (state_ == State::kInstalling && shards_.AllInstalled(lineage_)) {
      regroup_until_ = clock_ + config_.regroup_window;
      state_ = State::kWaiting;
    }
    NoteReady(shard);
    NoteNorms(shard);
    NoteSave(shard);
  }
  LetLeave(shard);
  if (state_ == State::kWaiting) Boundary();
  if (!ordered_all_ && !exited()) OrderShard(shard);
}

void Coordinator::Machine::NoteLoadError(int32_t shard) {
  Peer& peer = shards_.at(shard);
  const bool failed = state_ == State::kInstalling && peer.last.load_error_lineage == lineage_ &&
                      peer.last.load_error != LoadErrorKind::kNone;
  if (!failed) return;
  if (peer.last.load_error == LoadErrorKind::kDamaged && base_ != CheckpointName()) {
    return OnDamagedBase(ServerName(shard), peer.last.load_error_text);
  }
  if (peer.installed_at != -absl::InfiniteDuration()) return;
  peer.installed_at = now_;
  Alarm("load_error", ServerName(shard), peer.last.load_error_text);
}

void Coordinator::Machine::NoteReady(int32_t shard) {
  const Status& status = shards_.at(shard).last;
  if (state_ != State::kCollecting || status.open != round_.label || !status.ready) return;
  round_.ready[shard] = status.square_sums;
  round_.shards_finite = round_.shards_finite && status.finite;
  DecideIfComplete();
}

void Coordinator::Machine::NoteNorms(int32_t shard) {
  const Status& status = shards_.at(shard).last;
  if (state_ != State::kNorms || status.open != decided_->finish.label ||
      status.phase != ShardPhase::kNormsDone) {
    return;
  }
  decided_->norms[shard] = status.norms;
  if (decided_->norms.size() == static_cast<size_t>(config_.shards)) FinishNorms();
}

void Coordinator::Machine::NoteSave(int32_t shard) {
  if (!save_ || state_ == State::kClaiming) return;
  const Status& status = shards_.at(shard).last;
  switch (save_->Note(shard, status)) {
    case Save::News::kNothing:
      return;
    case Save::News::kFailed:
      return AbandonSave(absl::StrCat(ServerName(shard), ": ", status.save_error));
    case Save::News::kAllSaved:
      save_->stage = Save::Stage::kReadBefore;
      save_->operation = ReadTheClaim();
  }
}

bool Coordinator::Machine::ShardsLeaving() const {
  return std::any_of(shards_.peers().begin(), shards_.peers().end(), [](const Peer& peer) {
    return peer.process.has_value() && peer.last.wants_to_leave;
  });
}

void Coordinator::Machine::LetLeave(int32_t shard) {
  if (!shards_.at(shard).last.wants_to_leave || !RunsRounds()) return;
  if (state_ == State::kWaiting && NewestIsCurrent()) {
    return Order(shard, Done{lineage_, "all of the run is saved", false});
  }
  const bool goes_on = state_ == State::kCollecting || state_ == State::kNorms;
  if (goes_on || !CutIsMade()) cut_asked_ = true;
}

Wanted Coordinator::Machine::WantedOf(int32_t shard) const {
  Wanted wanted;
  wanted.install = {lineage_, base_, tunables_.accepted().pull_codec()};
  if (decided_) wanted.decided = &*decided_;
  if (state_ == State::kCollecting) wanted.open = &round_.open;
  const bool cutting = save_ && save_->by_cut() && save_->stage == Save::Stage::kShards;
  if (cutting && !save_->SavedBy(shard)) wanted.cut = save_->name().round;
  return wanted;
}

void Coordinator::Machine::OrderShard(int32_t shard) {
  Peer& peer = shards_.at(shard);
  if (!peer.process || state_ == State::kClaiming || state_ == State::kDone) return;
  const bool load_failed = peer.last.load_error_lineage == lineage_ &&
                           peer.last.load_error != LoadErrorKind::kNone &&
                           peer.last.phase == ShardPhase::kEmpty;
  if (load_failed) {
    if (now_ - peer.installed_at < config_.install_retry) return;
    peer.installed_at = now_;
  }
  for (CoordinatorToShard& order : OrdersFor(WantedOf(shard), peer.last)) {
    Order(shard, std::move(order));
  }
}

void Coordinator::Machine::OrderAll() {
  ordered_all_ = true;
  for (int32_t shard = 0; shard < shards_.size(); ++shard) OrderShard(shard);
}

}  // namespace tenor

// The tick: lost seats, the deadline, periodic work (docs/protocol.md 3).
#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "server/core/coordinator_machine.h"

namespace tenor {

namespace {

constexpr absl::Duration kFirstPenalty = absl::Seconds(1);

}  // namespace

void Coordinator::Machine::MoveClock() {
  if (last_tick_) clock_ += std::min(now_ - *last_tick_, 2 * config_.tick);
  last_tick_ = now_;
  ++ticks_;
}

void Coordinator::Machine::On(const Tick&) {
  MoveClock();
  if (state_ == State::kClaiming) return;
  if (state_ == State::kDone) return FinishLinger();
  WatchClaim();
  LoseSilentSeats();
  EnforceDeadline();
  CheckStartDeadline();
  if (exited()) return;
  CutWhileIdle();
  ReadClaimAgain();
  Retry();
  if (state_ == State::kEnding) ContinueEnding();
  if (!ordered_all_) OrderAll();
}

void Coordinator::Machine::WatchClaim() {
  if (watch_operation_.value != 0 || now_ - watched_at_ < config_.claim_read_period) return;
  watched_at_ = now_;
  watch_operation_ = ReadTheClaim();
}

void Coordinator::Machine::LoseSilentSeats() {
  const absl::Duration timeout = absl::Seconds(tunables_.in_force().heartbeat_timeout());
  std::vector<std::pair<std::string, std::string>> lost;
  for (const auto& [name, seat] : seats_.all()) {
    if (clock_ - seat.heard > timeout) {
      lost.push_back({name, "silent for heartbeat_timeout"});
    } else if (seat.detached && clock_ - *seat.detached > config_.reconnect_grace) {
      lost.push_back({name, "stream closed"});
    }
  }
  for (const auto& [name, reason] : lost) {
    ++counts_.evictions;
    Lose(name, reason);
  }
}

bool Coordinator::Machine::Blamed(const Seat& seat) const {
  bool all_ready = true;
  for (const Peer& peer : shards_.peers()) {
    all_ready = all_ready && peer.last.ready;
    const std::vector<std::string>& waits = peer.last.waits_for;
    if (std::find(waits.begin(), waits.end(), seat.name) != waits.end()) return true;
  }
  return all_ready;
}

void Coordinator::Machine::EnforceDeadline() {
  const absl::Duration deadline = absl::Seconds(tunables_.in_force().round_deadline());
  if (deadline == absl::ZeroDuration() || state_ != State::kCollecting) return;
  if (!shards_.AllFresh(round_.label, clock_, config_.shard_fresh)) {
    // While a shard is away nobody can make progress: waiting for it is no fault of a member.
    return seats_.ForgetProgress(clock_);
  }
  if (!round_.half_at || clock_ - *round_.half_at <= deadline) return;
  for (const Member& member : round_.view) {
    const Seat* seat = seats_.Holder(member.name, member.incarnation);
    if (seat == nullptr || round_.Reported(member.incarnation)) continue;
    if (clock_ - seat->progressed <= deadline || !Blamed(*seat)) continue;
    if (seats_.Weight() - seat->weight < MinWeight()) continue;
    return EvictSeat(member.name, "no progress for round_deadline", kFirstPenalty);
  }
}

void Coordinator::Machine::CutWhileIdle() {
  const bool idle = state_ == State::kWaiting || state_ == State::kSuspended;
  if (!idle || Enough(seats_.Admissible(clock_))) return too_few_since_.reset();
  if (!too_few_since_) too_few_since_ = clock_;
  if (clock_ - *too_few_since_ >= config_.idle_cut_after) StartCut();
}

void Coordinator::Machine::CheckStartDeadline() {
  if (config_.start_deadline == absl::ZeroDuration() || ever_decided_ || exited()) return;
  if (clock_ < config_.start_deadline) return;
  ExitWith(4, absl::StrCat("no step was made within start_deadline ",
                           absl::FormatDuration(config_.start_deadline), ": ", WhyNoStep()));
}

void Coordinator::Machine::FinishLinger() {
  const bool waiting =
      end_was_found_ ||
      std::any_of(seats_.all().begin(), seats_.all().end(),
                  [](const auto& seat) { return !seat.second.detached.has_value(); }) ||
      std::any_of(shards_.peers().begin(), shards_.peers().end(),
                  [](const Peer& peer) { return peer.stream_open; });
  if (waiting && clock_ - done_at_ < config_.done_linger) return;
  if (config_.done_linger == absl::InfiniteDuration()) return;
  ExitWith(stop_failed_ ? 1 : 0, stop_reason_);
}

}  // namespace tenor

#include "server/core/coordinator_status.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "server/core/coordinator_machine.h"

namespace tenor {

absl::string_view StateName(CoordinatorState state) {
  switch (state) {
    case CoordinatorState::kClaiming:
      return "claiming";
    case CoordinatorState::kInstalling:
      return "installing";
    case CoordinatorState::kWaiting:
      return "waiting";
    case CoordinatorState::kCollecting:
      return "collecting";
    case CoordinatorState::kSuspended:
      return "suspended";
    case CoordinatorState::kNorms:
      return "norms";
    case CoordinatorState::kEnding:
      return "ending";
    case CoordinatorState::kDone:
      return "done";
    case CoordinatorState::kExited:
      return "exited";
  }
  return "exited";
}

std::vector<std::string> Coordinator::Machine::Missing() const {
  std::set<std::string> here;
  for (const Member& member : seats_.Admissible(clock_)) here.insert(member.name);
  std::vector<std::string> missing;
  for (const std::string& name : record_.members()) {
    if (here.count(name) == 0) missing.push_back(name);
  }
  return missing;
}

std::string Coordinator::Machine::WhyNoServers() const {
  std::vector<std::string> waiting;
  for (int32_t shard = 0; shard < shards_.size(); ++shard) {
    const Peer& peer = shards_.at(shard);
    const bool installed =
        peer.process && peer.last.lineage == lineage_ && peer.last.phase >= ShardPhase::kIdle;
    if (!installed) waiting.push_back(absl::StrCat(shard));
  }
  return absl::StrCat("waits for servers ", absl::StrJoin(waiting, ", "));
}

std::string Coordinator::Machine::WhyNoStep() const {
  switch (state_) {
    case State::kCollecting:
    case State::kNorms:
      return "";
    case State::kClaiming:
      return "claims a lineage";
    case State::kInstalling:
      return WhyNoServers();
    case State::kEnding:
      return "saves the last checkpoint";
    case State::kDone:
    case State::kExited:
      return "the run is over";
    case State::kWaiting:
    case State::kSuspended:
      break;
  }
  if (tunables_.in_force().pause()) return "paused";
  const int64_t weight = WeightOf(seats_.Admissible(clock_));
  if (weight < MinWeight()) {
    const std::string missing = absl::StrJoin(Missing(), " ");
    return absl::StrCat(weight, " of min_workers ", MinWeight(), " are here",
                        missing.empty() ? "" : "; missing: ", missing);
  }
  if (ShardsLeaving()) return "a server leaves";
  return absl::StrCat("waits for ", absl::StrJoin(Missing(), " "), " to come back");
}

SeatStatus Coordinator::Machine::DescribeSeat(const Seat& seat) const {
  SeatStatus status;
  status.name = seat.name;
  status.incarnation = seat.incarnation;
  status.address = seat.address;
  status.heard_ago = clock_ - seat.heard;
  status.weight = seat.weight;
  status.in_view = (state_ == State::kCollecting || state_ == State::kNorms) &&
                   round_.Find(seat.incarnation) != nullptr;
  status.reported = status.in_view && round_.Reported(seat.incarnation);
  status.compute_seconds = seat.compute_seconds;
  status.wait_seconds = seat.wait_seconds;
  const bool penalty = seats_.Penalised(seat.name, clock_);
  status.state = seat.detached    ? "detached"
                 : status.in_view ? "in view"
                 : !seat.warm     ? "joining"
                 : penalty        ? "penalty"
                                  : "waiting";
  return status;
}

ShardStatus Coordinator::Machine::DescribeShard(const Peer& peer) const {
  ShardStatus status;
  status.known = peer.process.has_value();
  status.address = peer.last.address;
  status.stream_open = peer.stream_open;
  status.heard_ago = clock_ - peer.heard;
  status.last = peer.last;
  if (peer.last.load_error != LoadErrorKind::kNone && peer.last.load_error_lineage == lineage_) {
    status.problem = peer.last.load_error_text;
  } else if (peer.last.failed.lineage == lineage_ && lineage_ != 0) {
    status.problem = peer.last.save_error;
  }
  return status;
}

CoordinatorStatus Coordinator::Machine::Describe() const {
  CoordinatorStatus status = counts_;
  status.state = state_;
  status.reason = WhyNoStep();
  status.ready = status.reason.empty();
  status.label = round_.label;
  status.version = record_.version();
  status.last_verdict = record_.round();
  status.base = base_;
  status.record = record_;
  status.accepted = tunables_.accepted();
  status.pending = tunables_.Pending();
  for (const auto& [name, seat] : seats_.all()) status.seats.push_back(DescribeSeat(seat));
  for (const Peer& peer : shards_.peers()) status.shards.push_back(DescribeShard(peer));
  status.missing = Missing();
  status.newest_checkpoint = newest_checkpoint_;
  status.newest_checkpoint_age = clock_ - newest_checkpoint_at_;
  status.save_in_flight = save_.has_value();
  return status;
}

}  // namespace tenor

// Joins, heartbeats, leaves, reports (docs/protocol.md 1, 3).
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "server/core/coordinator_machine.h"
#include "server/core/handshake.h"

namespace tenor {

void Coordinator::Machine::On(const WorkerSays& event) {
  const Sender sender{event.connection, event.address};
  std::visit([&](const auto& message) { On(sender, message); }, event.message);
}

void Coordinator::Machine::On(const WorkerStreamClosed& event) {
  const std::optional<std::string> name = seats_.Detach(event.connection, clock_);
  if (name && config_.reconnect_grace == absl::ZeroDuration() && state_ != State::kClaiming) {
    Lose(*name, "stream closed");
  }
}

void Coordinator::Machine::SayDone(ConnectionId connection) {
  Say(connection, Done{lineage_, stop_reason_, stop_failed_});
}

void Coordinator::Machine::On(const Sender& sender, const Join& join) {
  if (state_ == State::kDone) return SayDone(sender.connection);
  if (std::optional<std::string> why = WhyRefuse(config_, join)) {
    Log("refused", "", *why);
    return Say(sender.connection, Refused{*std::move(why)});
  }
  if (Replaced(join.lineage, join.name) || state_ == State::kClaiming) return;
  if (seats_.Held(join.name, join.process, clock_)) {
    return Say(sender.connection, Busy{lineage_, seats_.Find(join.name)->address});
  }
  Grant(sender, join);
}

void Coordinator::Machine::Grant(const Sender& sender, const Join& join) {
  const bool is_new = seats_.Find(join.name) == nullptr;
  if (is_new && seats_.all().size() >= static_cast<size_t>(config_.max_members)) {
    return Say(sender.connection, Refused{absl::StrCat("worker ", join.name, ": the run has ",
                                                       config_.max_members, " members already")});
  }
  const Incarnation incarnation = seats_.Grant(join, sender.connection, lineage_);
  Say(sender.connection, Granted{lineage_, incarnation, record_.version(), shards_.Addresses()});
}

void Coordinator::Machine::TakeSeat(const Sender& sender, const Heartbeat& heartbeat) {
  const ProcessId process = seats_.GrantedTo(heartbeat.incarnation);
  if (seats_.Held(heartbeat.name, process, clock_)) return seats_.DropGrant(heartbeat.incarnation);
  if (seats_.Find(heartbeat.name) != nullptr) Lose(heartbeat.name, "its name is taken over");
  seats_.Take(heartbeat, sender.connection, sender.address, clock_);
  Log("join", heartbeat.name, "", sender.address);
}

bool Coordinator::Machine::NoteHeartbeat(const Sender& sender, const Heartbeat& heartbeat,
                                         Seat* seat) {
  const bool could = seat->warm && !seat->detached;
  const int32_t old_weight = seat->weight;
  seat->connection = sender.connection;
  seat->address = sender.address;
  seat->heard = clock_;
  seat->detached.reset();
  seat->warm = seat->warm || heartbeat.warm;
  if (IsMemberWeight(heartbeat.weight)) seat->weight = heartbeat.weight;
  seat->compute_seconds = heartbeat.compute_seconds;
  seat->wait_seconds = heartbeat.wait_seconds;
  if (heartbeat.progress != seat->progress) {
    seat->progress = heartbeat.progress;
    seat->progressed = clock_;
  }
  return seat->warm && (!could || old_weight != seat->weight);
}

void Coordinator::Machine::On(const Sender& sender, const Heartbeat& heartbeat) {
  if (state_ == State::kDone) return SayDone(sender.connection);
  if (Replaced(heartbeat.lineage, heartbeat.name)) return;
  if (Replaced(heartbeat.label.lineage, heartbeat.name)) return;
  Seat* seat = seats_.Holder(heartbeat.name, heartbeat.incarnation);
  if (state_ == State::kClaiming) {
    // Heard, but nothing is answered without a lineage.
    if (seat != nullptr) NoteHeartbeat(sender, heartbeat, seat);
    return;
  }
  if (seat == nullptr && seats_.HasGrant(heartbeat.name, heartbeat.incarnation)) {
    TakeSeat(sender, heartbeat);
    seat = seats_.Holder(heartbeat.name, heartbeat.incarnation);
  }
  if (seat == nullptr) {
    return Say(sender.connection,
               Evicted{lineage_, heartbeat.incarnation, "its seat is lost or was never taken"});
  }
  const bool may_enter = NoteHeartbeat(sender, heartbeat, seat);
  AnswerHeartbeat(sender, heartbeat, *seat);
  if (may_enter) Retry();
}

void Coordinator::Machine::AnswerHeartbeat(const Sender& sender, const Heartbeat& heartbeat,
                                           const Seat& seat) {
  const Member* member =
      state_ == State::kCollecting ? round_.Find(heartbeat.incarnation) : nullptr;
  if (member != nullptr) {
    const Label& label = heartbeat.label;
    const bool same_round =
        label.lineage == round_.label.lineage && label.round == round_.label.round;
    if (heartbeat.computed && same_round) round_.NoteComputed(heartbeat.incarnation, clock_);
    if (label != round_.label) return SendDirective(*member);
  }
  HeartbeatAck ack{lineage_, seat.incarnation, record_.version(), {}};
  if (!seat.warm) ack.shards = shards_.Addresses();
  Say(sender.connection, ack);
}

void Coordinator::Machine::On(const Sender& sender, const Report& report) {
  if (state_ == State::kDone) return SayDone(sender.connection);
  if (Replaced(report.label.lineage, report.name)) return;
  if (state_ != State::kCollecting || report.label != round_.label) return;
  if (seats_.Holder(report.name, report.incarnation) == nullptr) return;
  if (round_.Find(report.incarnation) == nullptr) return;
  const absl::Status status =
      CheckConsumption(round_.leases[report.incarnation], report.consumption, report.samples);
  if (!status.ok()) {
    return EvictSeat(report.name, std::string(status.message()), absl::Seconds(60));
  }
  round_.reports[report.incarnation] = report;
  round_.NoteComputed(report.incarnation, clock_);
  DecideIfComplete();
}

void Coordinator::Machine::On(const Sender&, const Retract& retract) {
  if (Replaced(retract.label.lineage, retract.name)) return;
  if (state_ != State::kCollecting || retract.label != round_.label) return;
  const bool in_view = seats_.Holder(retract.name, retract.incarnation) != nullptr &&
                       round_.Find(retract.incarnation) != nullptr;
  if (!in_view || round_.Reported(retract.incarnation)) return;
  ChangeView(absl::StrCat(retract.name, " retracts"));
}

void Coordinator::Machine::On(const Sender& sender, const Leave& leave) {
  if (state_ == State::kDone) return SayDone(sender.connection);
  if (Replaced(leave.lineage, leave.name) || state_ == State::kClaiming) return;
  if (seats_.Holder(leave.name, leave.incarnation) != nullptr) Lose(leave.name, "leaves");
  Say(sender.connection, Evicted{lineage_, leave.incarnation, "left"});
}

void Coordinator::Machine::Lose(const std::string& name, const std::string& reason) {
  const Seat* seat = seats_.Find(name);
  if (seat == nullptr) return;
  const Incarnation incarnation = seat->incarnation;
  seats_.Remove(name);
  Log("lost", name, reason);
  if (state_ == State::kSuspended) return ChangeView(absl::StrCat(name, " is lost"));
  const bool matters = state_ == State::kCollecting && round_.Find(incarnation) != nullptr &&
                       !round_.Reported(incarnation);
  if (matters) ChangeView(absl::StrCat(name, " is lost"));
}

void Coordinator::Machine::EvictSeat(const std::string& name, const std::string& reason,
                                     absl::Duration penalty) {
  const Seat* seat = seats_.Find(name);
  if (seat == nullptr) return;
  const Evicted message{lineage_, seat->incarnation, reason};
  ++counts_.evictions;
  seats_.Penalise(name, penalty, clock_);
  Say(seat->connection, message);
  Lose(name, reason);
}

void Coordinator::Machine::Retry() {
  if (state_ == State::kWaiting) Boundary();
  if (state_ == State::kSuspended) ChangeView("members are back");
}

}  // namespace tenor

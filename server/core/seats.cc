#include "server/core/seats.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "base/check.h"
#include "server/core/events.h"
#include "server/core/messages.h"
#include "server/core/names.h"

namespace tenor {

namespace {

constexpr absl::Duration kLongestPenalty = absl::Seconds(60);

}  // namespace

Seat* Seats::Find(const std::string& name) {
  const auto it = seats_.find(name);
  return it == seats_.end() ? nullptr : &it->second;
}

const Seat* Seats::Find(const std::string& name) const {
  return const_cast<Seats*>(this)->Find(name);
}

Seat* Seats::Holder(const std::string& name, Incarnation incarnation) {
  Seat* seat = Find(name);
  return seat != nullptr && seat->incarnation == incarnation ? seat : nullptr;
}

const Seat* Seats::Holder(const std::string& name, Incarnation incarnation) const {
  return const_cast<Seats*>(this)->Holder(name, incarnation);
}

bool Seats::Held(const std::string& name, ProcessId process, absl::Duration clock) const {
  const Seat* seat = Find(name);
  return seat != nullptr && seat->process != process && !seat->detached.has_value() &&
         clock - seat->heard < name_hold_;
}

Incarnation Seats::Grant(const Join& join, ConnectionId connection, Lineage lineage) {
  for (auto it = grants_.begin(); it != grants_.end(); ++it) {
    if (it->second.process != join.process) continue;
    if (it->second.name == join.name) {
      it->second.connection = connection;
      return it->first;
    }
    grants_.erase(it);
    break;
  }
  const Incarnation incarnation{static_cast<uint64_t>(lineage) << 32 | ++counter_};
  grants_[incarnation] = {join.name, join.process, connection};
  return incarnation;
}

bool Seats::HasGrant(const std::string& name, Incarnation incarnation) const {
  const auto it = grants_.find(incarnation);
  return it != grants_.end() && it->second.name == name;
}

ProcessId Seats::GrantedTo(Incarnation incarnation) const {
  const auto it = grants_.find(incarnation);
  return it == grants_.end() ? ProcessId{} : it->second.process;
}

void Seats::DropGrant(Incarnation incarnation) { grants_.erase(incarnation); }

void Seats::Take(const Heartbeat& heartbeat, ConnectionId connection, const std::string& address,
                 absl::Duration clock) {
  const auto grant = grants_.find(heartbeat.incarnation);
  CHECK(grant != grants_.end());
  Seat seat;
  seat.name = heartbeat.name;
  seat.incarnation = heartbeat.incarnation;
  seat.process = grant->second.process;
  seat.connection = connection;
  seat.address = address;
  seat.heard = clock;
  seat.progressed = clock;
  grants_.erase(grant);
  const bool entered = seats_.insert({heartbeat.name, seat}).second;
  CHECK(entered) << heartbeat.name << " is taken";
}

std::optional<std::string> Seats::Detach(ConnectionId connection, absl::Duration clock) {
  std::erase_if(grants_, [&](const auto& grant) { return grant.second.connection == connection; });
  for (auto& [name, seat] : seats_) {
    if (seat.connection != connection || seat.detached.has_value()) continue;
    seat.detached = clock;
    return name;
  }
  return std::nullopt;
}

void Seats::Penalise(const std::string& name, absl::Duration first, absl::Duration clock) {
  Penalty& penalty = penalties_[name];
  penalty.length = std::min(kLongestPenalty, std::max(first, 2 * penalty.length));
  penalty.until = clock + penalty.length;
}

bool Seats::Penalised(const std::string& name, absl::Duration clock) const {
  const auto it = penalties_.find(name);
  return it != penalties_.end() && clock < it->second.until;
}

std::vector<Member> Seats::Admissible(absl::Duration clock) const {
  std::vector<Member> members;
  for (const auto& [name, seat] : seats_) {
    if (seat.detached.has_value() || !seat.warm || Penalised(name, clock)) continue;
    members.push_back({name, seat.incarnation, seat.weight});
  }
  return members;
}

int64_t Seats::Weight() const {
  int64_t weight = 0;
  for (const auto& [name, seat] : seats_) weight += seat.weight;
  return weight;
}

void Seats::ForgetApplied() {
  for (auto& [name, seat] : seats_) seat.last_applied = 0;
}

void Seats::ForgetProgress(absl::Duration clock) {
  for (auto& [name, seat] : seats_) seat.progressed = clock;
}

}  // namespace tenor

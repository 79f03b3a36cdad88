#ifndef TENOR_SERVER_CORE_SEATS_H_
#define TENOR_SERVER_CORE_SEATS_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "server/core/events.h"
#include "server/core/messages.h"
#include "server/core/names.h"

// Who holds which name (docs/protocol.md 1, 3). All times are those of the core's clock.
// Thread-compatible.

namespace tenor {

// The holder of a name.
struct Seat {
  std::string name;
  Incarnation incarnation;
  ProcessId process;
  ConnectionId connection;  // of its newest heartbeat
  std::string address;
  int32_t weight = 1;
  bool warm = false;
  absl::Duration heard;
  int64_t progress = -1;
  absl::Duration progressed;               // when `progress` moved last
  std::optional<absl::Duration> detached;  // since when its stream is closed
  Round last_applied = 0;                  // in this lineage
  double compute_seconds = 0;
  double wait_seconds = 0;
};

// Keeps a member that was evicted out of new views for a while.
struct Penalty {
  absl::Duration length;
  absl::Duration until;
};

class Seats {
 public:
  explicit Seats(absl::Duration name_hold) : name_hold_(name_hold) {}

  // The seat of a name; null where it is free. Valid until the next Take or Remove.
  Seat* Find(const std::string& name);
  const Seat* Find(const std::string& name) const;
  // The seat of exactly this incarnation.
  Seat* Holder(const std::string& name, Incarnation incarnation);
  const Seat* Holder(const std::string& name, Incarnation incarnation) const;

  // A process other than `process` has the name, is attached and was heard within name_hold.
  bool Held(const std::string& name, ProcessId process, absl::Duration clock) const;

  // The incarnation promised to this process for this name: the same at every call until it is
  // taken or its stream closes.
  Incarnation Grant(const Join& join, ConnectionId connection, Lineage lineage);
  // The grant that a heartbeat claims; none: it was never given, or is used.
  bool HasGrant(const std::string& name, Incarnation incarnation) const;
  ProcessId GrantedTo(Incarnation incarnation) const;
  void DropGrant(Incarnation incarnation);
  // The granted process takes the name, which is free.
  void Take(const Heartbeat& heartbeat, ConnectionId connection, const std::string& address,
            absl::Duration clock);

  void Remove(const std::string& name) { seats_.erase(name); }
  // The seat of a closed stream is detached; what was granted on it is void. Returns its name.
  std::optional<std::string> Detach(ConnectionId connection, absl::Duration clock);

  // Doubles from `first` up to a minute.
  void Penalise(const std::string& name, absl::Duration first, absl::Duration clock);
  void Forgive(const std::string& name) { penalties_.erase(name); }
  bool Penalised(const std::string& name, absl::Duration clock) const;

  // Attached, warm, without penalty: may enter a new view. In order of names.
  std::vector<Member> Admissible(absl::Duration clock) const;
  // Of all seats.
  int64_t Weight() const;
  // Rounds are counted anew in a lineage.
  void ForgetApplied();
  void ForgetProgress(absl::Duration clock);

  const std::map<std::string, Seat>& all() const { return seats_; }

 private:
  struct Granted {
    std::string name;
    ProcessId process;
    ConnectionId connection;
  };

  const absl::Duration name_hold_;
  std::map<std::string, Seat> seats_;
  std::map<Incarnation, Granted> grants_;  // one a process
  std::map<std::string, Penalty> penalties_;
  uint64_t counter_ = 0;
};

}  // namespace tenor

#endif  // TENOR_SERVER_CORE_SEATS_H_

#ifndef TENOR_WORKER_SESSION_CONTACT_H_
#define TENOR_WORKER_SESSION_CONTACT_H_

#include <cstdint>
#include <optional>

#include "absl/time/time.h"
#include "worker/session/events.h"

namespace tenor::session {

// The control stream's health: when to look the coordinator up, and how long a name has been in
// use. Decides nothing about the seat: silence changes nothing. Single-threaded.
class Contact {
 public:
  // `config` must outlive this.
  explicit Contact(const Config* config) : config_(*config) {}

  void OnConnected(absl::Duration now, ConnectionId connection);
  // Returns false for a connection that was replaced already.
  bool OnLost(ConnectionId connection);
  bool connected() const { return connection_ != ConnectionId{}; }
  bool IsNewest(ConnectionId connection) const { return connection == connection_; }
  void OnHeard(absl::Duration now);

  // Without a connection or a word from it for too long; jittered, then counts as looked up.
  bool LookUpDue(absl::Duration now);

  // Returns whether the name has been in use for name_wait.
  bool OnBusy(absl::Duration now);
  void OnGranted() { busy_since_.reset(); }

 private:
  const Config& config_;
  ConnectionId connection_;
  absl::Duration heard_ = -absl::InfiniteDuration();
  absl::Duration look_up_at_ = -absl::InfiniteDuration();
  uint64_t look_ups_ = 0;  // in all
  int32_t in_vain_ = 0;    // since something was heard
  std::optional<absl::Duration> busy_since_;
  absl::Duration busy_last_;
};

}  // namespace tenor::session

#endif  // TENOR_WORKER_SESSION_CONTACT_H_

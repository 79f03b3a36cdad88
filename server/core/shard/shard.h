#ifndef TENOR_SERVER_CORE_SHARD_SHARD_H_
#define TENOR_SERVER_CORE_SHARD_SHARD_H_

#include <vector>

#include "absl/time/time.h"
#include "server/core/shard/events.h"

namespace tenor {

// One parameter server's side of docs/protocol.md (sections 2 to 4 and table 9.4) as a deterministic
// state machine: it orders sums, applies, snapshots and pulls by name and never sees a byte, a clock,
// a thread or a socket. Single-threaded; same events, same effects.
//
// Effects are to be started in the order of the list; they may end in any order. Whatever a peer
// sends is answered or ignored, never a CHECK; a completion of an unknown operation is ignored.
class Shard {
 public:
  explicit Shard(shard::Config config);

  // now: monotonic, since any fixed point; never falls.
  std::vector<shard::Effect> Handle(absl::Duration now, const shard::Event& event);

  // What the coordinator is told; also for metrics and health.
  Status status() const;
};

}  // namespace tenor

#endif  // TENOR_SERVER_CORE_SHARD_SHARD_H_

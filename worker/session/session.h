#ifndef TENOR_WORKER_SESSION_SESSION_H_
#define TENOR_WORKER_SESSION_SESSION_H_

#include <vector>

#include "absl/time/time.h"
#include "worker/session/events.h"

namespace tenor {

// A worker's side of docs/protocol.md (sections 2, 3 and 6, table 9.5) as a deterministic state
// machine: it holds the seat, says what to pull, compute, encode, push and report, and what to
// forget. Driven by the shells of worker and node aggregator and by the simulation. No clock,
// thread, socket or payload byte. Single-threaded; same events, same effects. It must be driven
// from a thread that does not compute: heartbeats go out with Tick.
//
// Effects are carried out in the order of the list. Whatever a peer sends is never a CHECK; an
// event of an unknown computation is ignored. After Exit every event is ignored.
class Session {
 public:
  explicit Session(session::Config config);

  // now: monotonic, since any fixed point; never falls.
  std::vector<session::Effect> Handle(absl::Duration now, const session::Event& event);

  // For metrics and /readyz.
  bool seated() const;
  bool in_round() const;  // holds a directive of its lineage
  Label label() const;    // of the newest directive
};

}  // namespace tenor

#endif  // TENOR_WORKER_SESSION_SESSION_H_

#ifndef TENOR_SERVER_RUNNER_COORDINATOR_LINK_H_
#define TENOR_SERVER_RUNNER_COORDINATOR_LINK_H_

#include "absl/strings/string_view.h"
#include "server/core/messages.h"
#include "server/core/shard/events.h"

namespace tenor {

// What a link tells a shard's runner. Thread-safe; never blocks.
class CoordinatorLinkObserver {
 public:
  virtual ~CoordinatorLinkObserver() = default;
  // A stream is open; the result names it from now on.
  virtual shard::ConnectionId OnConnected() = 0;
  virtual void OnOrder(shard::ConnectionId connection, CoordinatorToShard order) = 0;
  virtual void OnLost(shard::ConnectionId connection, absl::string_view why) = 0;
};

// A shard's control stream to the coordinator. Implementations: local_link.h (the coordinator of
// this process), server/net/coordinator_client.h (gRPC). Thread-safe.
class CoordinatorLink {
 public:
  virtual ~CoordinatorLink() = default;

  // Dials, and dials again for ever. Once. `observer` outlives the link or its Stop.
  virtual void Start(CoordinatorLinkObserver* observer) = 0;

  // Looks the address up again and dials; nothing if a stream is open there.
  virtual void Find() = 0;

  // Dropped if that stream is closed: a Status is repeated by timer.
  virtual void Send(shard::ConnectionId connection, const Status& status) = 0;

  // No call of the observer after it has returned. Not from a call of the observer.
  virtual void Stop() = 0;
};

}  // namespace tenor

#endif  // TENOR_SERVER_RUNNER_COORDINATOR_LINK_H_

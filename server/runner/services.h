#ifndef TENOR_SERVER_RUNNER_SERVICES_H_
#define TENOR_SERVER_RUNNER_SERVICES_H_

#include <cstdint>
#include <functional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/payload.h"
#include "proto/spec.pb.h"
#include "server/core/events.h"
#include "server/core/messages.h"

// The entrances of a server process, without a transport: gRPC (server/net) and the in-process
// client (worker/local) both stand in front of these. All of them are thread-safe and never block:
// they put the message into the queue of the loop that owns the state machine.
//
// A connection is one attached stream. `send` may be called from any thread until Detach has
// returned, must not block and must not call back into the service; what it cannot deliver it drops
// (every message is repeated by timer).

namespace tenor {

class ShardService {
 public:
  using Send = std::function<void(const ShardToWorker&, Payload)>;
  // Ends the stream: its member is out of the view. Like Send, and at most once; Detach follows.
  using Cancel = std::function<void()>;
  virtual ~ShardService() = default;

  // A data stream of a worker. `peer` is its address, for messages.
  virtual ConnectionId Attach(absl::string_view peer, Send send, Cancel cancel = nullptr) = 0;
  virtual void Receive(ConnectionId connection, WorkerToShard message, Payload payload) = 0;
  virtual void Detach(ConnectionId connection) = 0;
  // A sent chunk payload left the process or was cancelled; exactly once for each Chunk sent.
  virtual void SendDone(ConnectionId connection, const Chunk& chunk) = 0;
};

class CoordinatorService {
 public:
  using SendToWorker = std::function<void(const CoordinatorToWorker&)>;
  using SendToShard = std::function<void(const CoordinatorToShard&)>;
  virtual ~CoordinatorService() = default;

  // The job with defaults filled in, and the run's name.
  virtual const spec::JobSpec& job() const = 0;
  virtual absl::string_view run_name() const = 0;

  virtual ConnectionId AttachWorker(absl::string_view peer, SendToWorker send) = 0;
  virtual void Receive(ConnectionId connection, WorkerMessage message) = 0;
  virtual ConnectionId AttachShard(absl::string_view peer, SendToShard send) = 0;
  virtual void Receive(ConnectionId connection, Status status) = 0;
  // Of either kind.
  virtual void Detach(ConnectionId connection) = 0;
};

}  // namespace tenor

#endif  // TENOR_SERVER_RUNNER_SERVICES_H_

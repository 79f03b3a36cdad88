#ifndef TENOR_WORKER_PS_CLIENT_H_
#define TENOR_WORKER_PS_CLIENT_H_

#include <functional>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "base/payload.h"
#include "proto/spec.pb.h"
#include "server/core/messages.h"

namespace tenor {

// What a PsClient tells its owner. Called from threads of the client; must not block and must not
// call back into the client. Thread-safe.
class PsClientObserver {
 public:
  virtual ~PsClientObserver() = default;
  virtual void OnCoordinatorConnected() = 0;
  virtual void OnCoordinatorLost(const absl::Status& why) = 0;
  virtual void OnCoordinatorMessage(CoordinatorToWorker message) = 0;
  virtual void OnShardConnected(int shard) = 0;
  virtual void OnShardLost(int shard, const absl::Status& why) = 0;
  // `payload` is empty for all but Chunk.
  virtual void OnShardMessage(int shard, ShardToWorker message, Payload payload) = 0;
};

// A worker's way to the parameter servers: a control stream to the coordinator and data streams to
// every shard. Implementations: worker/net (gRPC), worker/local (in process). One conformance suite
// (tests/conformance) holds for all. Thread-safe; nothing blocks but GetJob.
//
// Messages of one stream arrive in the order sent or not at all; a lost stream is reported once and
// opened again by itself with a jittered backoff of 0.1 to 5 s, the address looked up anew each
// time.
class PsClient {
 public:
  virtual ~PsClient() = default;

  // Errors: Unavailable (nobody answers within the timeout), FailedPrecondition (another protocol
  // version, or another run than the one named).
  virtual absl::StatusOr<spec::JobSpec> GetJob(absl::Duration timeout) = 0;

  // Opens the control stream; once. `observer` outlives the client.
  virtual void Start(PsClientObserver* observer) = 0;

  // The coordinator has been silent: look its address up again and open the control stream anew.
  virtual void FindCoordinator() = 0;

  // Opens, keeps or moves the data streams so that shard k is reached at shards[k].
  virtual void ConnectShards(const std::vector<ShardAddress>& shards) = 0;

  // Dropped where the stream is not open: everything is repeated by timer.
  virtual void SendToCoordinator(const WorkerMessage& message) = 0;
  virtual void SendToShard(int shard, const WorkerToShard& message, Payload payload) = 0;

  // Closes every stream; no call of the observer after it has returned.
  virtual void Stop() = 0;
};

}  // namespace tenor

#endif  // TENOR_WORKER_PS_CLIENT_H_

#ifndef TENOR_WORKER_LOCAL_LOCAL_CLIENT_H_
#define TENOR_WORKER_LOCAL_LOCAL_CLIENT_H_

#include <memory>
#include <string>
#include <vector>

#include "server/runner/services.h"
#include "worker/ps_client.h"

namespace tenor {

// The servers of one process, by name. Thread-compatible; outlives every client.
struct LocalServers {
  CoordinatorService* coordinator = nullptr;
  std::vector<ShardService*> shards;  // index = shard
};

// A PsClient to servers in the same process: calls their services directly, without a copy of any
// payload; another address or process of a shard opens its stream anew. The messages of the
// servers' threads are handed to a thread of this client, so that an observer is never called from
// inside its own call.
std::unique_ptr<PsClient> MakeLocalClient(LocalServers servers, std::string peer);

}  // namespace tenor

#endif  // TENOR_WORKER_LOCAL_LOCAL_CLIENT_H_

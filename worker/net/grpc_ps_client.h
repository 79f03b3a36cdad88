#ifndef TENOR_WORKER_NET_GRPC_PS_CLIENT_H_
#define TENOR_WORKER_NET_GRPC_PS_CLIENT_H_

#include <cstdint>
#include <memory>
#include <string>

#include "worker/ps_client.h"

namespace tenor {

struct GrpcPsClientOptions {
  std::string coordinator;  // host:port, looked up anew at every attempt
  std::string run_name;     // the run that this worker belongs to; empty = any
  uint64_t seed = 0;        // of the jitter between attempts
  // A connection that carries nothing is probed after this, and lost where the probe stays
  // unanswered as long again.
  absl::Duration keepalive = absl::Seconds(5);
};

// The servers by gRPC: one channel, one stream and one thread for the coordinator and for each
// shard; the thread connects, waits for the stream's end and connects again.
std::unique_ptr<PsClient> MakeGrpcPsClient(GrpcPsClientOptions options);

}  // namespace tenor

#endif  // TENOR_WORKER_NET_GRPC_PS_CLIENT_H_

#ifndef TENOR_SERVER_NET_RPC_SERVICES_H_
#define TENOR_SERVER_NET_RPC_SERVICES_H_

#include <functional>
#include <memory>
#include <string>

#include "server/runner/operators.h"
#include "server/runner/services.h"

namespace grpc {
class Service;
}  // namespace grpc

// The services of proto/wire.proto in front of a process's runners. Each is thread-safe, borrows
// what it is given, and outlives the gRPC server that it is registered with.

namespace tenor {

// On every server; where `coordinator` is null, every call is answered UNAVAILABLE with
// `elsewhere`, a sentence that names server 0.
std::unique_ptr<grpc::Service> MakeCoordinatorRpc(CoordinatorService* coordinator,
                                                  std::string elsewhere);

std::unique_ptr<grpc::Service> MakeShardRpc(ShardService& shard);

// What status says beyond the run itself.
struct OperatorFacts {
  std::string run;
  std::string version_text;
  spec::StopSpec stop;
  // Known once the admin port is open.
  std::function<std::string()> admin_address;
};

// On every server; `operators` is null where the coordinator is elsewhere.
std::unique_ptr<grpc::Service> MakeObserveRpc(OperatorService* operators, OperatorFacts facts,
                                              std::string elsewhere);

std::unique_ptr<grpc::Service> MakeAdminRpc(OperatorService& operators);

}  // namespace tenor

#endif  // TENOR_SERVER_NET_RPC_SERVICES_H_

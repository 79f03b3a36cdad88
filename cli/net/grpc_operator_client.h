#ifndef TENOR_CLI_NET_GRPC_OPERATOR_CLIENT_H_
#define TENOR_CLI_NET_GRPC_OPERATOR_CLIENT_H_

#include <memory>
#include <string>

#include "cli/net/operator_client.h"

namespace tenor {

// To server 0 at `observe` (host:port); changes go to `admin`, or where it is empty, to the address
// that the server names as its own.
std::unique_ptr<OperatorClient> NewGrpcOperatorClient(std::string observe, std::string admin);

}  // namespace tenor

#endif  // TENOR_CLI_NET_GRPC_OPERATOR_CLIENT_H_

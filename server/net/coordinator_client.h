#ifndef TENOR_SERVER_NET_COORDINATOR_CLIENT_H_
#define TENOR_SERVER_NET_COORDINATOR_CLIENT_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "server/runner/coordinator_link.h"

namespace tenor {

// The control stream of a shard to the coordinator at `address` (host:port), by gRPC. A lost stream
// is dialled again after 0.1 to 1 s, the address looked up anew each time.
std::unique_ptr<CoordinatorLink> MakeCoordinatorClient(std::string address);

// The name of the run whose coordinator answers at `address`. Errors: Unavailable or
// DeadlineExceeded where none does.
absl::StatusOr<std::string> AskCoordinator(absl::string_view address, absl::Duration timeout);

}  // namespace tenor

#endif  // TENOR_SERVER_NET_COORDINATOR_CLIENT_H_

#ifndef TENOR_SERVER_NET_COORDINATOR_CLIENT_H_
#define TENOR_SERVER_NET_COORDINATOR_CLIENT_H_

#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "server/runner/coordinator_link.h"

namespace tenor {

// The coordinator's address, host:port, or why it is not known; called before each attempt.
using LookUpAddress = std::function<absl::StatusOr<std::string>()>;

// The control stream of a shard to the coordinator, by gRPC. A lost stream is dialled again after
// 0.1 to 1 s, the address looked up anew each time.
std::unique_ptr<CoordinatorLink> MakeCoordinatorClient(LookUpAddress look_up);

// The name of the run whose coordinator answers at `address`. Errors: Unavailable or
// DeadlineExceeded where none does.
absl::StatusOr<std::string> AskCoordinator(absl::string_view address, absl::Duration timeout);

}  // namespace tenor

#endif  // TENOR_SERVER_NET_COORDINATOR_CLIENT_H_

#ifndef TENOR_CLI_NET_OPERATOR_CLIENT_H_
#define TENOR_CLI_NET_OPERATOR_CLIENT_H_

#include <functional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "proto/wire.pb.h"

namespace tenor {

// What operators ask of a run (the services Observe and Admin of proto/wire.proto), without a
// transport. Implementation: grpc_operator_client.h. Calls block. Single-threaded.
//
// Errors: Unavailable (nobody answers; names address and cause), DeadlineExceeded (no answer in
// time), and what the server says: InvalidArgument (a value that it refuses), FailedPrecondition,
// NotFound.
class OperatorClient {
 public:
  // Whether to go on.
  using OnStep = std::function<bool(const wire::StepLine&)>;
  using OnEvent = std::function<bool(const std::string& json)>;

  virtual ~OperatorClient() = default;

  virtual absl::StatusOr<wire::RunStatus> GetStatus() = 0;
  // Every step from now on, until on_step says no or the server ends the stream.
  virtual absl::Status Watch(const OnStep& on_step) = 0;
  // The events that the server keeps and, with `follow`, those to come.
  virtual absl::Status Events(bool follow, const OnEvent& on_event) = 0;

  virtual absl::StatusOr<wire::SetReply> Set(const wire::SetRequest& request) = 0;
  virtual absl::StatusOr<wire::StopReply> Stop(const std::string& reason) = 0;
  virtual absl::StatusOr<wire::EvictReply> Evict(const std::string& name) = 0;
  // Answers when the checkpoint is durable.
  virtual absl::StatusOr<wire::CheckpointNowReply> CheckpointNow() = 0;
};

}  // namespace tenor

#endif  // TENOR_CLI_NET_OPERATOR_CLIENT_H_

#ifndef TENOR_CLI_COMMANDS_RUN_CONNECTION_H_
#define TENOR_CLI_COMMANDS_RUN_CONNECTION_H_

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cli/command_context.h"

namespace tenor {

// Server 0 of the run that --server or --run names.
class RunConnection {
 public:
  // Errors: InvalidArgument (neither is given, or an address without a port), NotFound and others
  // of RUN/endpoints.textproto.
  static absl::StatusOr<RunConnection> Open(const CommandContext& context);

  OperatorClient& client() { return *client_; }

  // An error of the client as the user is to see it, with its exit code: who does not answer and
  // what to do, or that the servers refuse. OK stays OK.
  absl::Status Explain(const absl::Status& status) const;

 private:
  std::unique_ptr<OperatorClient> client_;
  std::string who_;  // "server 0 at host:7400 (pid 17, from RUN/endpoints.textproto)"
  std::string advice_;
};

}  // namespace tenor

#endif  // TENOR_CLI_COMMANDS_RUN_CONNECTION_H_

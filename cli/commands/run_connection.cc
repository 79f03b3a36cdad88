#include "cli/commands/run_connection.h"

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/path.h"
#include "base/status.h"
#include "cli/exit_code.h"
#include "proto/parse.h"

namespace tenor {
namespace {

constexpr char kEndpointsFile[] = "endpoints.textproto";

absl::StatusOr<spec::Endpoints::Process> FindServer0(FileSystem& files, const std::string& path) {
  absl::StatusOr<std::string> text = files.ReadFile(path);
  if (absl::IsNotFound(text.status())) {
    return absl::NotFoundError(absl::StrCat(text.status().message(),
                                            "; --run takes the folder of a run that was started"));
  }
  TENOR_RETURN_IF_ERROR(text.status());
  TENOR_ASSIGN_OR_RETURN(const spec::Endpoints endpoints, ParseEndpoints(*text, path));
  for (const spec::Endpoints::Process& process : endpoints.processes()) {
    if (process.role() == "server" && process.index() == 0 && !process.grpc().empty()) {
      return process;
    }
  }
  return absl::NotFoundError(
      absl::StrCat(path, " names no server 0; wait until the run has started"));
}

bool IsSilence(const absl::Status& status) {
  return absl::IsUnavailable(status) || absl::IsDeadlineExceeded(status);
}

}  // namespace

absl::StatusOr<RunConnection> RunConnection::Open(const CommandContext& context) {
  RunConnection connection;
  if (!context.server.empty()) {
    if (!absl::StrContains(context.server, ":")) {
      return absl::InvalidArgumentError(
          absl::StrCat("--server is ", context.server, ", which is not host:port"));
    }
    connection.who_ = absl::StrCat("server 0 at ", context.server);
    connection.advice_ = "check the address and whether the server runs";
    connection.client_ = context.connect(context.server, "");
    return connection;
  }
  if (context.run.empty()) {
    return absl::InvalidArgumentError("no run is named; give --server HOST:PORT or --run DIR");
  }
  const std::string path = JoinPath(context.run, kEndpointsFile);
  TENOR_ASSIGN_OR_RETURN(const spec::Endpoints::Process server, FindServer0(context.files, path));
  connection.who_ =
      absl::StrCat("server 0 at ", server.grpc(), " (pid ", server.pid(), ", from ", path, ")");
  connection.advice_ = "it may have ended: start it again in the same --run_dir to go on";
  connection.client_ = context.connect(server.grpc(), server.admin());
  return connection;
}

absl::Status RunConnection::Explain(const absl::Status& status) const {
  if (status.ok()) return status;
  if (IsSilence(status)) {
    return absl::Status(status.code(),
                        absl::StrCat(who_, " does not answer: ", status.message(), "; ", advice_));
  }
  if (absl::IsInvalidArgument(status) || absl::IsUnimplemented(status)) return status;
  return WithExitCode(status, kExitRefused);
}

}  // namespace tenor

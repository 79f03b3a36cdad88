#include "server/net/grpc_server.h"

#include <netdb.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "base/file_descriptor.h"
#include "base/status.h"
#include "grpc/support/log.h"
#include "grpcpp/ext/proto_server_reflection_plugin.h"
#include "grpcpp/health_check_service_interface.h"
#include "grpcpp/security/server_credentials.h"
#include "grpcpp/server.h"
#include "grpcpp/server_builder.h"
#include "server/net/channel_settings.h"

namespace tenor {
namespace {

class Server : public GrpcServer {
 public:
  Server(std::unique_ptr<grpc::Server> server, int port)
      : server_(std::move(server)), port_(port) {}
  ~Server() override { Shutdown(absl::ZeroDuration()); }

  int port() const override { return port_; }

  void SetServing(bool serving) override {
    server_->GetHealthCheckService()->SetServingStatus(serving);
  }

  void Shutdown(absl::Duration grace) override {
    server_->Shutdown(std::chrono::system_clock::now() + absl::ToChronoMilliseconds(grace));
    server_->Wait();
  }

 private:
  const std::unique_ptr<grpc::Server> server_;
  const int port_;
};

struct HostAndPort {
  std::string host;
  std::string port;
};

// "host:port" or "[address]:port".
absl::StatusOr<HostAndPort> Split(absl::string_view bind) {
  const size_t colon = bind.rfind(':');
  if (colon == absl::string_view::npos || colon == 0 || colon + 1 == bind.size()) {
    return absl::InvalidArgumentError(absl::StrCat("address ", bind, " is not host:port"));
  }
  HostAndPort parts{std::string(bind.substr(0, colon)), std::string(bind.substr(colon + 1))};
  if (parts.host.front() == '[' && parts.host.back() == ']') {
    parts.host = parts.host.substr(1, parts.host.size() - 2);
  }
  return parts;
}

absl::Status CannotListen(absl::string_view bind, int error) {
  const std::string text = absl::StrCat("cannot listen on ", bind, ": ", strerror(error));
  if (error == EADDRINUSE) {
    return absl::AlreadyExistsError(
        absl::StrCat(text, "; stop the other process or choose a port"));
  }
  return absl::UnavailableError(text);
}

// Whether the address could be listened on, with the cause: gRPC only says that it could not.
absl::Status TryToListen(absl::string_view bind) {
  TENOR_ASSIGN_OR_RETURN(const HostAndPort parts, Split(bind));
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  if (int error = getaddrinfo(parts.host.c_str(), parts.port.c_str(), &hints, &found); error != 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("address ", bind, " does not resolve: ", gai_strerror(error)));
  }
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> addresses(found, freeaddrinfo);
  const FileDescriptor socket_fd(socket(found->ai_family, found->ai_socktype, found->ai_protocol));
  const int yes = 1;
  if (!socket_fd.valid() ||
      setsockopt(socket_fd.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes)) != 0 ||
      ::bind(socket_fd.get(), found->ai_addr, found->ai_addrlen) != 0 ||
      listen(socket_fd.get(), 1) != 0) {
    return CannotListen(bind, errno);
  }
  return absl::OkStatus();
}

// gRPC's own lines would come beside ours, about the same things.
void DropLine(gpr_log_func_args*) {}

}  // namespace

absl::StatusOr<std::unique_ptr<GrpcServer>> GrpcServer::Start(
    absl::string_view bind, const std::vector<grpc::Service*>& services) {
  TENOR_RETURN_IF_ERROR(TryToListen(bind));
  gpr_set_log_function(DropLine);
  grpc::EnableDefaultHealthCheckService(true);
  grpc::reflection::InitProtoReflectionServerBuilderPlugin();
  grpc::ServerBuilder builder;
  for (const ChannelSetting& setting : kChannelSettings) {
    builder.AddChannelArgument(setting.name, setting.value);
  }
  for (const ChannelSetting& setting : kServerSettings) {
    builder.AddChannelArgument(setting.name, setting.value);
  }
  builder.SetMaxReceiveMessageSize(static_cast<int>(kMaxMessageBytes));
  builder.SetMaxSendMessageSize(static_cast<int>(kMaxMessageBytes));
  int port = 0;
  builder.AddListeningPort(std::string(bind), grpc::InsecureServerCredentials(), &port);
  for (grpc::Service* service : services) builder.RegisterService(service);
  std::unique_ptr<grpc::Server> server = builder.BuildAndStart();
  if (server == nullptr || port <= 0) return CannotListen(bind, EADDRINUSE);
  auto started = std::make_unique<Server>(std::move(server), port);
  started->SetServing(false);
  return started;
}

}  // namespace tenor

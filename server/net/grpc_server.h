#ifndef TENOR_SERVER_NET_GRPC_SERVER_H_
#define TENOR_SERVER_NET_GRPC_SERVER_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace grpc {
class Service;
}  // namespace grpc

namespace tenor {

// One port with services, grpc.health.v1 and reflection. Thread-safe.
class GrpcServer {
 public:
  // Listens on `bind`, "host:port"; port 0 takes any free one. Services are borrowed and outlive
  // the server. Not serving at first. Errors: AlreadyExists (the port is in use), InvalidArgument
  // (not host:port, or a host that does not resolve), Unavailable (any other cause); all name the
  // address.
  static absl::StatusOr<std::unique_ptr<GrpcServer>> Start(
      absl::string_view bind, const std::vector<grpc::Service*>& services);

  virtual ~GrpcServer() = default;

  virtual int port() const = 0;

  // What grpc.health.v1 answers for the whole server.
  virtual void SetServing(bool serving) = 0;

  // Refuses new calls, lets those in flight end for at most `grace`, then cancels them; returns
  // when all have ended. Later calls do nothing.
  virtual void Shutdown(absl::Duration grace) = 0;
};

}  // namespace tenor

#endif  // TENOR_SERVER_NET_GRPC_SERVER_H_

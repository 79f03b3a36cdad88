#ifndef TENOR_CLI_LOCAL_PORT_RESERVATION_H_
#define TENOR_CLI_LOCAL_PORT_RESERVATION_H_

#include <utility>

#include "absl/status/statusor.h"
#include "base/file_descriptor.h"

namespace tenor {

// A free port of 127.0.0.1, kept for programs that this process starts: a socket is bound to it
// with SO_REUSEADDR and never listens. While it is held the kernel gives the port to nobody who
// asks for any free one, but a socket that also sets SO_REUSEADDR, as gRPC's do, binds to it and
// listens. Thread-compatible.
class PortReservation {
 public:
  // Errors are the kernel's.
  static absl::StatusOr<PortReservation> Take();

  int port() const { return port_; }

 private:
  PortReservation(FileDescriptor socket, int port) : socket_(std::move(socket)), port_(port) {}

  FileDescriptor socket_;
  int port_;
};

}  // namespace tenor

#endif  // TENOR_CLI_LOCAL_PORT_RESERVATION_H_

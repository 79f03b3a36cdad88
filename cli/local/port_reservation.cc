#include "cli/local/port_reservation.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>

#include "base/errno_status.h"

namespace tenor {

absl::StatusOr<PortReservation> PortReservation::Take() {
  FileDescriptor holder(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  const int yes = 1;
  if (!holder.valid() ||
      setsockopt(holder.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes)) != 0 ||
      bind(holder.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0 ||
      getsockname(holder.get(), reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    return ErrnoStatus(errno, "cannot reserve", "a port of 127.0.0.1");
  }
  return PortReservation(std::move(holder), ntohs(address.sin_port));
}

}  // namespace tenor

#include "tests/process/tcp_relay.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <utility>
#include <vector>

#include "base/check.h"

namespace tenor {
namespace {

sockaddr_in Loopback(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

FileDescriptor MakeSocket() {
  return FileDescriptor(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
}

FileDescriptor Connect(int port) {
  FileDescriptor made = MakeSocket();
  const sockaddr_in address = Loopback(port);
  if (connect(made.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0) {
    return FileDescriptor();
  }
  return made;
}

// Blocks where the receiver is slow: all parties are on this machine.
bool SendAll(int to, const char* data, ssize_t size) {
  while (size > 0) {
    const ssize_t sent = send(to, data, static_cast<size_t>(size), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    data += sent;
    size -= sent;
  }
  return true;
}

}  // namespace

TcpRelay::TcpRelay(int target_port)
    : target_port_(target_port), listener_(MakeSocket()), wake_(eventfd(0, EFD_CLOEXEC)) {
  sockaddr_in address = Loopback(0);
  socklen_t size = sizeof(address);
  CHECK(bind(listener_.get(), reinterpret_cast<const sockaddr*>(&address), size) == 0 &&
        listen(listener_.get(), 64) == 0 &&
        getsockname(listener_.get(), reinterpret_cast<sockaddr*>(&address), &size) == 0)
      << "no port";
  port_ = ntohs(address.sin_port);
  thread_ = std::jthread([this] { Loop(); });
}

TcpRelay::~TcpRelay() {
  {
    MutexLock lock(mu_);
    stopping_ = true;
  }
  Wake();
  thread_.join();
}

void TcpRelay::Wake() {
  const uint64_t one = 1;
  CHECK(write(wake_.get(), &one, sizeof(one)) == sizeof(one)) << "eventfd";
}

void TcpRelay::BeginSecondGroup() {
  MutexLock lock(mu_);
  accepts_second_ = true;
}

void TcpRelay::SwallowSecondGroup() {
  MutexLock lock(mu_);
  swallows_ = true;
}

void TcpRelay::Heal() {
  {
    MutexLock lock(mu_);
    swallows_ = false;
    for (Connection& connection : connections_) {
      connection.closed = connection.closed || connection.second_group;
    }
  }
  Wake();
}

void TcpRelay::Accept() {
  FileDescriptor client(accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
  if (!client.valid()) return;
  // Where nobody listens the client sees its connection closed, as if it had dialled itself.
  FileDescriptor target = Connect(target_port_);
  if (!target.valid()) return;
  connections_.push_back({std::move(client), std::move(target), accepts_second_});
}

void TcpRelay::Relay(Connection& connection, const FileDescriptor& from, const FileDescriptor& to) {
  char buffer[65536];
  const ssize_t got = recv(from.get(), buffer, sizeof(buffer), 0);
  const bool lost = connection.second_group && swallows_;
  if (got <= 0) {
    (lost ? connection.deaf : connection.closed) = true;
  } else if (!lost) {
    connection.closed = connection.closed || !SendAll(to.get(), buffer, got);
  }
}

void TcpRelay::Loop() {
  while (true) {
    std::vector<pollfd> waiting = {{wake_.get(), POLLIN, 0}, {listener_.get(), POLLIN, 0}};
    std::vector<Connection*> polled;
    {
      MutexLock lock(mu_);
      connections_.remove_if([](const Connection& connection) { return connection.closed; });
      for (Connection& connection : connections_) {
        if (connection.deaf) continue;
        polled.push_back(&connection);
        waiting.push_back({connection.client.get(), POLLIN, 0});
        waiting.push_back({connection.target.get(), POLLIN, 0});
      }
    }
    poll(waiting.data(), waiting.size(), -1);
    MutexLock lock(mu_);
    if (stopping_) return;
    uint64_t wakes = 0;
    if (waiting[0].revents != 0 && read(wake_.get(), &wakes, sizeof(wakes)) < 0) return;
    for (size_t i = 0; i < polled.size(); ++i) {
      Connection& connection = *polled[i];
      if (waiting[2 + 2 * i].revents != 0) Relay(connection, connection.client, connection.target);
      if (waiting[3 + 2 * i].revents != 0) Relay(connection, connection.target, connection.client);
    }
    if (waiting[1].revents != 0) Accept();
  }
}

}  // namespace tenor

#include "cli/local/port_reservation.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "base/file_descriptor.h"
#include "base/status_testing.h"
#include "gtest/gtest.h"

namespace tenor {
namespace {

// A socket as gRPC's server makes one. Whether it listens on the port.
bool CanListen(int port, bool reuse_address, FileDescriptor* listener) {
  *listener = FileDescriptor(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const int yes = reuse_address ? 1 : 0;
  setsockopt(listener->get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return bind(listener->get(), reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0 &&
         listen(listener->get(), 1) == 0;
}

TEST(PortReservationTest, PortsDiffer) {
  std::vector<PortReservation> held;
  std::set<int> ports;
  for (int i = 0; i < 50; ++i) {
    auto port = PortReservation::Take();
    ASSERT_THAT(port, IsOk());
    EXPECT_GT(port->port(), 0);
    ports.insert(port->port());
    held.push_back(*std::move(port));
  }
  EXPECT_EQ(ports.size(), 50u);
}

TEST(PortReservationTest, AServerCanListenAgainAndAgainWhileItIsHeld) {
  auto port = PortReservation::Take();
  ASSERT_THAT(port, IsOk());
  for (int start = 0; start < 2; ++start) {
    FileDescriptor listener;
    EXPECT_TRUE(CanListen(port->port(), /*reuse_address=*/true, &listener));
    FileDescriptor second;
    EXPECT_FALSE(CanListen(port->port(), /*reuse_address=*/true, &second));
  }
}

TEST(PortReservationTest, OthersAreKeptOut) {
  auto port = PortReservation::Take();
  ASSERT_THAT(port, IsOk());
  FileDescriptor listener;
  EXPECT_FALSE(CanListen(port->port(), /*reuse_address=*/false, &listener));
}

TEST(PortReservationTest, IsFreeAfterwards) {
  int number = 0;
  {
    auto port = PortReservation::Take();
    ASSERT_THAT(port, IsOk());
    number = port->port();
  }
  FileDescriptor listener;
  EXPECT_TRUE(CanListen(number, /*reuse_address=*/false, &listener));
}

}  // namespace
}  // namespace tenor

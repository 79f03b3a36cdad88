#include "base/http/http_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/file_descriptor.h"
#include "base/status_testing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tenor {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr char kLoopback[] = "127.0.0.1";

// Sends `request` to the port and returns all that comes back.
std::string Exchange(uint16_t port, const std::string& request) {
  const FileDescriptor connection(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  inet_pton(AF_INET, kLoopback, &address.sin_addr);
  if (connect(connection.get(), reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0) {
    return "no connection";
  }
  if (send(connection.get(), request.data(), request.size(), MSG_NOSIGNAL) < 0) return "no send";
  std::string answer;
  char buffer[4096];
  ssize_t got;
  while ((got = recv(connection.get(), buffer, sizeof(buffer), 0)) > 0) answer.append(buffer, got);
  return answer;
}

std::string Ask(uint16_t port, const std::string& method, const std::string& path) {
  return Exchange(port, absl::StrCat(method, " ", path, " HTTP/1.1\r\nHost: test\r\n\r\n"));
}

std::unique_ptr<HttpServer> StartOrDie(HttpRoutes routes) {
  absl::StatusOr<std::unique_ptr<HttpServer>> server =
      HttpServer::Start(kLoopback, 0, std::move(routes));
  EXPECT_OK(server);
  return *std::move(server);
}

HttpRoutes TwoRoutes() {
  return {
      {"/healthz", [] { return HttpResponse{.body = "ok\n"}; }},
      {"/readyz",
       [] {
         return HttpResponse{.code = 503, .content_type = "text/x-reason", .body = "2 of 3\n"};
       }},
  };
}

TEST(HttpServerTest, ServesItsRoutes) {
  const auto server = StartOrDie(TwoRoutes());
  ASSERT_NE(server->Port(), 0);
  const std::string health = Ask(server->Port(), "GET", "/healthz");
  EXPECT_THAT(health, StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_THAT(health, HasSubstr("\r\nContent-Type: text/plain; charset=utf-8\r\n"));
  EXPECT_THAT(health, HasSubstr("\r\nContent-Length: 3\r\n"));
  EXPECT_THAT(health, EndsWith("\r\n\r\nok\n"));
}

TEST(HttpServerTest, AnswersWithTheHandlersCodeAndType) {
  const auto server = StartOrDie(TwoRoutes());
  const std::string ready = Ask(server->Port(), "GET", "/readyz");
  EXPECT_THAT(ready, StartsWith("HTTP/1.1 503 Service Unavailable\r\n"));
  EXPECT_THAT(ready, HasSubstr("\r\nContent-Type: text/x-reason\r\n"));
  EXPECT_THAT(ready, EndsWith("\r\n\r\n2 of 3\n"));
}

TEST(HttpServerTest, QueryDoesNotChangeThePath) {
  const auto server = StartOrDie(TwoRoutes());
  EXPECT_THAT(Ask(server->Port(), "GET", "/healthz?verbose=1"), StartsWith("HTTP/1.1 200"));
}

TEST(HttpServerTest, HeadHasNoBody) {
  const auto server = StartOrDie(TwoRoutes());
  const std::string answer = Ask(server->Port(), "HEAD", "/healthz");
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 200"));
  EXPECT_THAT(answer, EndsWith("\r\n\r\n"));
}

TEST(HttpServerTest, OtherPathsAreNotFound) {
  const auto server = StartOrDie(TwoRoutes());
  for (const char* path : {"/", "/healthz/x", "/healthzx", "/x", "/../etc/passwd"}) {
    EXPECT_THAT(Ask(server->Port(), "GET", path), StartsWith("HTTP/1.1 404 ")) << path;
  }
}

TEST(HttpServerTest, OtherMethodsAreRefused) {
  const auto server = StartOrDie(TwoRoutes());
  for (const char* method : {"POST", "PUT", "DELETE", "OPTIONS", "PATCH"}) {
    const std::string answer = Exchange(
        server->Port(),
        absl::StrCat(method, " /healthz HTTP/1.1\r\nHost: test\r\nContent-Length: 0\r\n\r\n"));
    EXPECT_THAT(answer, StartsWith("HTTP/1.1 405 ")) << method;
    EXPECT_THAT(answer, HasSubstr("\r\nAllow: GET, HEAD\r\n")) << method;
  }
}

TEST(HttpServerTest, GarbageDoesNotStopIt) {
  const auto server = StartOrDie(TwoRoutes());
  EXPECT_THAT(Exchange(server->Port(), "\x01\x02 garbage\r\n\r\n"),
              Not(StartsWith("HTTP/1.1 200")));
  const std::string longest(20000, 'x');
  EXPECT_THAT(Ask(server->Port(), "GET", "/" + longest), Not(StartsWith("HTTP/1.1 200")));
  EXPECT_THAT(Ask(server->Port(), "GET", "/healthz"), StartsWith("HTTP/1.1 200"));
}

TEST(HttpServerTest, ServesManyAtOnce) {
  std::atomic<int> calls = 0;
  const std::string body(100000, 'm');
  const auto server = StartOrDie({{"/metrics", [&] {
                                     ++calls;
                                     return HttpResponse{.body = body};
                                   }}});
  {
    std::vector<std::jthread> clients;
    for (int i = 0; i < 8; ++i) {
      clients.emplace_back([&] {
        EXPECT_THAT(Ask(server->Port(), "GET", "/metrics"), EndsWith("\r\n\r\n" + body));
      });
    }
  }
  EXPECT_EQ(calls, 8);
}

TEST(HttpServerTest, ATakenPortIsNamed) {
  const auto first = StartOrDie(TwoRoutes());
  EXPECT_THAT(HttpServer::Start(kLoopback, first->Port(), TwoRoutes()),
              StatusIs(absl::StatusCode::kUnavailable,
                       absl::StrCat("http server: listen on 127.0.0.1:", first->Port(),
                                    ": Address already in use")));
}

TEST(HttpServerTest, AnAddressOfAnotherMachineIsNamed) {
  // An address for documentation (RFC 5737): no machine has it.
  EXPECT_THAT(HttpServer::Start("192.0.2.1", 0, TwoRoutes()),
              StatusIs(absl::StatusCode::kUnavailable, HasSubstr("192.0.2.1:0: Cannot assign")));
}

TEST(HttpServerTest, RefusesWhatIsNoAddressOrPath) {
  for (const char* address : {"", "localhost", "1.2.3", "127.0.0.1:80", "127.0.0.1,8080"}) {
    EXPECT_THAT(HttpServer::Start(address, 0, TwoRoutes()),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(address)));
  }
  EXPECT_THAT(HttpServer::Start(kLoopback, 0, {{"metrics", [] { return HttpResponse{}; }}}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("\"metrics\"")));
}

TEST(HttpServerTest, FreesItsPortAtTheEnd) {
  auto server = StartOrDie(TwoRoutes());
  const uint16_t port = server->Port();
  server.reset();
  EXPECT_EQ(Ask(port, "GET", "/healthz"), "no connection");
}

}  // namespace
}  // namespace tenor

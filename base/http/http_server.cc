#include "base/http/http_server.h"

#include <CivetServer.h>
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/errno_status.h"
#include "base/file_descriptor.h"
#include "base/status.h"

namespace tenor {
namespace {

struct SocketAddress {
  sockaddr_storage storage = {};
  socklen_t size = 0;
  // As it is written in front of ":port".
  std::string text;
};

absl::StatusOr<SocketAddress> ParseAddress(absl::string_view address, uint16_t port) {
  SocketAddress parsed;
  const std::string text(address);
  sockaddr_in v4 = {};
  sockaddr_in6 v6 = {};
  if (inet_pton(AF_INET, text.c_str(), &v4.sin_addr) == 1) {
    v4.sin_family = AF_INET;
    v4.sin_port = htons(port);
    std::memcpy(&parsed.storage, &v4, sizeof(v4));
    parsed.size = sizeof(v4);
    parsed.text = text;
  } else if (inet_pton(AF_INET6, text.c_str(), &v6.sin6_addr) == 1) {
    v6.sin6_family = AF_INET6;
    v6.sin6_port = htons(port);
    std::memcpy(&parsed.storage, &v6, sizeof(v6));
    parsed.size = sizeof(v6);
    parsed.text = absl::StrCat("[", text, "]");
  } else {
    return absl::InvalidArgumentError(
        absl::StrCat("http address \"", address, "\" is no numeric IPv4 or IPv6 address"));
  }
  return parsed;
}

// The library does not say why it cannot listen: tries it and reports what the kernel answers.
absl::Status WhyNotListening(const SocketAddress& address, uint16_t port) {
  const std::string where = absl::StrCat(address.text, ":", port);
  const FileDescriptor probe(socket(address.storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const int reuse = 1;
  if (!probe.valid() ||
      setsockopt(probe.get(), SOL_SOCKET, SO_REUSEADDR, &reuse, sizeof(reuse)) != 0 ||
      bind(probe.get(), reinterpret_cast<const sockaddr*>(&address.storage), address.size) != 0 ||
      listen(probe.get(), 1) != 0) {
    const int error_number = errno;
    return ErrnoStatus(error_number, "http server: listen on", where);
  }
  return absl::UnavailableError(absl::StrCat("http server: cannot start on ", where));
}

class RouteHandler : public CivetHandler {
 public:
  explicit RouteHandler(HttpRoutes routes) : routes_(std::move(routes)) {}

  bool handleGet(CivetServer*, mg_connection* connection) override {
    return Answer(connection, Route(connection), /*with_body=*/true);
  }
  bool handleHead(CivetServer*, mg_connection* connection) override {
    return Answer(connection, Route(connection), /*with_body=*/false);
  }
  bool handlePost(CivetServer*, mg_connection* connection) override { return Refuse(connection); }
  bool handlePut(CivetServer*, mg_connection* connection) override { return Refuse(connection); }
  bool handleDelete(CivetServer*, mg_connection* connection) override { return Refuse(connection); }
  bool handleOptions(CivetServer*, mg_connection* connection) override {
    return Refuse(connection);
  }
  bool handlePatch(CivetServer*, mg_connection* connection) override { return Refuse(connection); }

 private:
  HttpResponse Route(const mg_connection* connection) const {
    const mg_request_info* const request = mg_get_request_info(connection);
    const char* const path = request == nullptr ? nullptr : request->local_uri;
    const auto found = routes_.find(path == nullptr ? "" : path);
    if (found == routes_.end()) return {.code = 404, .body = "not found\n"};
    return found->second();
  }

  static bool Refuse(mg_connection* connection) {
    return Answer(connection, {.code = 405, .body = "only GET and HEAD\n"}, /*with_body=*/true);
  }

  static bool Answer(mg_connection* connection, const HttpResponse& response, bool with_body) {
    const std::string header = absl::StrCat(
        "HTTP/1.1 ", response.code, " ", mg_get_response_code_text(connection, response.code),
        "\r\nContent-Type: ", response.content_type, "\r\nContent-Length: ", response.body.size(),
        response.code == 405 ? "\r\nAllow: GET, HEAD" : "",
        "\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n");
    // A client that is gone is no concern of the server.
    mg_write(connection, header.data(), header.size());
    if (with_body) mg_write(connection, response.body.data(), response.body.size());
    return true;
  }

  const HttpRoutes routes_;
};

class CivetHttpServer : public HttpServer {
 public:
  // Throws CivetException.
  CivetHttpServer(const std::vector<std::string>& options, HttpRoutes routes)
      : handler_(std::move(routes)), server_(options) {
    server_.addHandler("**", handler_);
    for (const int port : server_.getListeningPorts()) port_ = static_cast<uint16_t>(port);
  }

  uint16_t Port() const override { return port_; }

 private:
  // Outlives the server's threads.
  RouteHandler handler_;
  CivetServer server_;
  uint16_t port_ = 0;
};

}  // namespace

absl::StatusOr<std::unique_ptr<HttpServer>> HttpServer::Start(absl::string_view address,
                                                              uint16_t port, HttpRoutes routes) {
  TENOR_ASSIGN_OR_RETURN(const SocketAddress parsed, ParseAddress(address, port));
  for (const auto& [path, handler] : routes) {
    if (!absl::StartsWith(path, "/")) {
      return absl::InvalidArgumentError(
          absl::StrCat("http path \"", path, "\" does not begin with \"/\""));
    }
  }
  const std::vector<std::string> options = {
      "listening_ports",    absl::StrCat(parsed.text, ":", port),
      "num_threads",        "2",
      "request_timeout_ms", "5000",
      "max_request_size",   "8192",
      "enable_keep_alive",  "no",
  };
  try {
    return std::make_unique<CivetHttpServer>(options, std::move(routes));
  } catch (const std::exception&) {
    return WhyNotListening(parsed, port);
  }
}

}  // namespace tenor

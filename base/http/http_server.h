#ifndef TENOR_BASE_HTTP_HTTP_SERVER_H_
#define TENOR_BASE_HTTP_HTTP_SERVER_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace tenor {

struct HttpResponse {
  int code = 200;
  std::string content_type = "text/plain; charset=utf-8";
  std::string body;
};

// Answers a GET. Called on the server's threads, several at a time: thread-safe, quick, no throw.
using HttpHandler = std::function<HttpResponse()>;

// Exact path ("/metrics") -> handler.
using HttpRoutes = std::map<std::string, HttpHandler, std::less<>>;

// A small HTTP/1.1 server for metrics and health: GET and HEAD, one request a connection, two
// threads, no files, no TLS. Another path is 404, another method 405; a client that sends nothing
// for 5 s is dropped. Thread-safe.
class HttpServer {
 public:
  // Listens on a numeric IPv4 or IPv6 `address`; port 0 takes any free one.
  //
  // InvalidArgument: not a numeric address; a path that does not begin with "/".
  // PermissionDenied, Unavailable: the address cannot be listened on, for instance because another
  // process does; the message names address, port and cause.
  static absl::StatusOr<std::unique_ptr<HttpServer>> Start(absl::string_view address, uint16_t port,
                                                           HttpRoutes routes);

  // Stops and waits for handlers that run.
  virtual ~HttpServer() = default;

  // The one that it listens on.
  virtual uint16_t Port() const = 0;
};

}  // namespace tenor

#endif  // TENOR_BASE_HTTP_HTTP_SERVER_H_

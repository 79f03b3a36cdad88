#ifndef TENOR_SERVER_SERVER_FLAGS_H_
#define TENOR_SERVER_SERVER_FLAGS_H_

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "base/log.h"

namespace tenor {

// The command line of tenor-server; defaults are those of --help.
struct ServerFlags {
  int32_t index = 0;
  std::vector<std::string> servers;  // host:port, index = server; never empty
  std::string job;
  std::string run_dir;
  std::string bind;        // host:port; from servers[index] where not given
  std::string admin_bind;  // server 0
  int32_t http_port = 7401;
  int32_t threads = 0;  // 0 = the cores that this process may use
  absl::Duration drain_timeout;
  absl::Duration start_deadline;
  absl::Duration name_wait;
  std::string run_name;  // from the job where not given
  int64_t push_credit_bytes = 0;
  LogFormat log_format = LogFormat::kText;
  LogSeverity log_level = LogSeverity::kInfo;
};

// What to print for --help or --version, and nothing else to do.
struct PrintAndExit {
  std::string text;
};

// InvalidArgument, one line: a flag that does not exist, a value out of range, flags that
// contradict each other, a bind address beyond this machine without --insecure.
absl::StatusOr<std::variant<ServerFlags, PrintAndExit>> ParseServerFlags(int argc,
                                                                         const char* const* argv);

// "host:port" -> its two parts, "[::1]:7400" without brackets. InvalidArgument names the address.
struct HostPort {
  std::string host;
  uint16_t port = 0;
};
absl::StatusOr<HostPort> ParseHostPort(absl::string_view address);

// 127.0.0.0/8, ::1 and "localhost".
bool IsLoopback(absl::string_view host);

}  // namespace tenor

#endif  // TENOR_SERVER_SERVER_FLAGS_H_

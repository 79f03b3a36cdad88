#ifndef TENOR_WORKER_FLAGS_H_
#define TENOR_WORKER_FLAGS_H_

#include <cstdint>
#include <optional>
#include <string>

#include "base/log.h"

namespace tenor {

// The command line of tenor-worker. Plain values.
struct WorkerFlags {
  std::string coordinator;  // host:port
  std::string data_dir;
  std::optional<int> index;  // the name gets "-I"
  std::string name;          // empty: the host's name
  std::string run_name;      // empty: any run
  std::string run_dir;       // where the HTTP address is left for discovery; empty: nowhere
  std::string http_bind = "127.0.0.1";
  int http_port = 7411;      // 0: any free one
  int threads = 0;           // 0: the cores that this process may use
  bool verify_data = false;  // check the data set's sums before the start
  LogSeverity log_level = LogSeverity::kInfo;
  LogFormat log_format = LogFormat::kText;
};

// What ParseFlags found: flags to run with, or the code to exit with at once (help was printed: 0; a
// bad flag, named on stderr: 2).
struct ParsedFlags {
  std::optional<int> exit_code;
  WorkerFlags flags;
};

ParsedFlags ParseWorkerFlags(int argc, char** argv);

}  // namespace tenor

#endif  // TENOR_WORKER_FLAGS_H_

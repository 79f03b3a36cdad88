#ifndef TENOR_CLI_LOCAL_CHILD_PROCESS_H_
#define TENOR_CLI_LOCAL_CHILD_PROCESS_H_

#include <csignal>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "base/file_descriptor.h"

namespace tenor {

// How a program ended: by exit with `code`, or by `signal` where that is not 0.
struct ProcessExit {
  int code = 0;
  int signal = 0;
  bool operator==(const ProcessExit&) const = default;
};

// "exit code 1", "signal 9 (Killed)".
std::string DescribeExit(const ProcessExit& exit);

// A program that this process started. It reads nothing, writes to a log file, is in a process
// group of its own (so that Ctrl-C reaches only us) and is killed when the thread that started it
// ends. Single-threaded.
class ChildProcess {
 public:
  struct Options {
    std::string program;
    std::vector<std::string> arguments;  // without the program
    std::string log_path;                // appended to; mode 0640
    sigset_t signal_mask;                // what the program has blocked
  };

  // Errors name the program and the cause: NotFound, PermissionDenied and the rest of the kernel's.
  static absl::StatusOr<ChildProcess> Start(const Options& options);

  // Kills it and waits, if it still runs.
  ~ChildProcess();
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&&) = delete;

  int pid() const { return pid_; }
  // Becomes readable when the program ends.
  int exit_descriptor() const { return ended_.get(); }

  // Nothing while it runs. Does not block.
  std::optional<ProcessExit> Poll();

  // Nothing happens if it has ended.
  void Signal(int signal);

 private:
  ChildProcess(int pid, FileDescriptor ended);

  int pid_;
  FileDescriptor ended_;
  std::optional<ProcessExit> exit_;
};

}  // namespace tenor

#endif  // TENOR_CLI_LOCAL_CHILD_PROCESS_H_

#ifndef TENOR_TESTS_PROCESS_PROGRAM_H_
#define TENOR_TESTS_PROCESS_PROGRAM_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "cli/local/child_process.h"

namespace tenor {

// Where the programs under test lie: as a test runs, or beside the folders of a build.
struct Programs {
  std::string server;
  std::string worker;
  std::string tenor;
};
Programs FindPrograms();

// A program that was started; killed at the end and when this process dies. Its output is a file.
// Single-threaded.
class Program {
 public:
  Program(std::string name, const std::string& path, std::vector<std::string> arguments,
          std::string log_path);

  int pid() const { return child_.pid(); }
  bool Runs() { return !child_.Poll().has_value(); }
  void Signal(int signal) { child_.Signal(signal); }
  // SIGKILL, and until it is gone.
  void Kill();

  // Nothing if it still runs after `limit`.
  std::optional<ProcessExit> WaitForExit(absl::Duration limit);
  // The same as a number: exit code, -1 while it runs, 1000 + signal where one ended it.
  int ExitCode(absl::Duration limit);

  // All that it printed, by all processes that had this log.
  std::string Output() const;

 private:
  const std::string name_;
  const std::string log_path_;
  ChildProcess child_;
};

// A program that ends by itself within a minute: what it printed and its exit code as above.
struct ProgramResult {
  int code = 0;
  std::string output;
};
ProgramResult RunProgram(const std::string& path, const std::vector<std::string>& arguments,
                         const std::string& folder);

}  // namespace tenor

#endif  // TENOR_TESTS_PROCESS_PROGRAM_H_

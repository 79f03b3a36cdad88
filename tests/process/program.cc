#include "tests/process/program.h"

#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <iterator>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/check.h"
#include "base/path.h"
#include "tests/process/wait.h"

namespace tenor {
namespace {

constexpr absl::Duration kEndLimit = absl::Seconds(60);

ChildProcess MustStart(const std::string& path, std::vector<std::string> arguments,
                       const std::string& log_path) {
  ChildProcess::Options options;
  options.program = path;
  options.arguments = std::move(arguments);
  options.log_path = log_path;
  sigemptyset(&options.signal_mask);
  absl::StatusOr<ChildProcess> child = ChildProcess::Start(options);
  CHECK(child.ok()) << child.status().message();
  return *std::move(child);
}

std::string ReadAll(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

// The folder that //server and //worker are built into, seen from a program of //tests/ROOM.
std::string BuildFolder() {
  char self[PATH_MAX] = {};
  CHECK(readlink("/proc/self/exe", self, sizeof(self) - 1) > 0) << "no /proc/self/exe";
  const std::string room(DirectoryName(self));
  return std::string(DirectoryName(DirectoryName(room)));
}

}  // namespace

Programs FindPrograms() {
  const std::string folder = access("server/tenor-server", X_OK) == 0 ? "." : BuildFolder();
  return {.server = JoinPath(folder, "server/tenor-server"),
          .worker = JoinPath(folder, "worker/tenor-worker"),
          .tenor = JoinPath(folder, "cli/tenor")};
}

Program::Program(std::string name, const std::string& path, std::vector<std::string> arguments,
                 std::string log_path)
    : name_(std::move(name)),
      log_path_(std::move(log_path)),
      child_(MustStart(path, std::move(arguments), log_path_)) {}

void Program::Kill() {
  Signal(SIGKILL);
  CHECK(WaitForExit(kEndLimit).has_value()) << name_ << " outlives SIGKILL";
}

std::optional<ProcessExit> Program::WaitForExit(absl::Duration limit) {
  if (!Runs()) return child_.Poll();
  pollfd ended = {.fd = child_.exit_descriptor(), .events = POLLIN, .revents = 0};
  poll(&ended, 1, static_cast<int>(absl::ToInt64Milliseconds(limit)));
  return child_.Poll();
}

int Program::ExitCode(absl::Duration limit) {
  const std::optional<ProcessExit> exit = WaitForExit(limit);
  if (!exit) return -1;
  return exit->signal != 0 ? 1000 + exit->signal : exit->code;
}

std::string Program::Output() const { return ReadAll(log_path_); }

ProgramResult RunProgram(const std::string& path, const std::vector<std::string>& arguments,
                         const std::string& folder) {
  const std::string log = JoinPath(folder, "output.log");
  unlink(log.c_str());
  Program program(path, path, arguments, log);
  const int code = program.ExitCode(kEndLimit);
  return {code, program.Output()};
}

}  // namespace tenor

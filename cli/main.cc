// tenor: starts, watches and changes training runs. Wires; decides nothing.
#include <sys/ioctl.h>
#include <unistd.h>

#include <iostream>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "base/clock.h"
#include "base/path.h"
#include "base/posix_file_system.h"
#include "base/resource_limits.h"
#include "cli/command_context.h"
#include "cli/commands/commands.h"
#include "cli/net/grpc_operator_client.h"
#include "cli/program.h"

namespace tenor {
namespace {

constexpr size_t kMaxPath = 4096;

// The folder of this very program, wherever it was found.
std::string ProgramFolder() {
  std::string path(kMaxPath, '\0');
  const ssize_t length = readlink("/proc/self/exe", path.data(), path.size());
  if (length <= 0) return ".";
  path.resize(static_cast<size_t>(length));
  return std::string(DirectoryName(path));
}

int TerminalColumns() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

int Main(const std::vector<std::string>& arguments) {
  PosixFileSystem files;
  const RealClock clock;
  CommandContext context{.terminal = {.out = std::cout,
                                      .err = std::cerr,
                                      .out_is_terminal = isatty(STDOUT_FILENO) == 1,
                                      .err_is_terminal = isatty(STDERR_FILENO) == 1,
                                      .columns = TerminalColumns()},
                         .files = files,
                         .clock = clock,
                         .connect = NewGrpcOperatorClient,
                         .program_folder = ProgramFolder(),
                         .cores = UsableCores()};
  return RunProgram(AllCommands(), arguments, context);
}

}  // namespace
}  // namespace tenor

int main(int argc, char** argv) {
  return tenor::Main(std::vector<std::string>(argv + 1, argv + argc));
}

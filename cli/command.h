#ifndef TENOR_CLI_COMMAND_H_
#define TENOR_CLI_COMMAND_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "cli/command_context.h"
#include "cli/command_syntax.h"

namespace tenor {

// One sub-command: declares what it takes, then runs once. Single-threaded.
class Command {
 public:
  virtual ~Command() = default;
  virtual void Declare(CommandSyntax& syntax) = 0;

  // An error becomes the line "tenor NAME: message" and the code of exit_code.h.
  virtual absl::Status Run(CommandContext& context) = 0;
};

// Which of the program's options a command takes; another one is refused.
enum class RunOptions {
  kNone,
  kFolder,          // --run alone
  kServerOrFolder,  // --server or --run
};

struct CommandEntry {
  std::string name;      // "status", "checkpoint list"
  std::string summary;   // one line
  std::string examples;  // whole lines
  RunOptions run_options = RunOptions::kNone;
  std::function<std::unique_ptr<Command>()> create;
};

}  // namespace tenor

#endif  // TENOR_CLI_COMMAND_H_

#ifndef TENOR_CLI_PROGRAM_H_
#define TENOR_CLI_PROGRAM_H_

#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/command_context.h"

namespace tenor {

// Parses `arguments` (without the program's name), runs the one command that they name and returns
// the exit code. Help goes to out; an error is one line on err: "tenor COMMAND: what is wrong".
// Nothing throws.
int RunProgram(const std::vector<CommandEntry>& commands, const std::vector<std::string>& arguments,
               CommandContext& context);

}  // namespace tenor

#endif  // TENOR_CLI_PROGRAM_H_

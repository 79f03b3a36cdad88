#ifndef TENOR_CLI_COMMANDS_COMMANDS_H_
#define TENOR_CLI_COMMANDS_COMMANDS_H_

#include <string>
#include <vector>

#include "cli/command.h"

// Every sub-command, each in the file of its name.

namespace tenor {

CommandEntry LocalCommand();
CommandEntry StatusCommand();
CommandEntry WatchCommand();
CommandEntry EventsCommand();
CommandEntry GetCommand();
CommandEntry SetCommand();
CommandEntry EvictCommand();
CommandEntry StopCommand();
CommandEntry CheckpointNowCommand();
CommandEntry CheckpointListCommand();
CommandEntry CheckpointVerifyCommand();
CommandEntry DataTextCommand();
CommandEntry EvalCommand();
CommandEntry SampleCommand();
CommandEntry JobCheckCommand();
CommandEntry VersionCommand();
// `names` are the other commands.
CommandEntry CompletionCommand(std::vector<std::string> names);

// In the order of the help.
std::vector<CommandEntry> AllCommands();

}  // namespace tenor

#endif  // TENOR_CLI_COMMANDS_COMMANDS_H_

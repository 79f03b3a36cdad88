#include <string>
#include <utility>
#include <vector>

#include "cli/commands/commands.h"

namespace tenor {

std::vector<CommandEntry> AllCommands() {
  std::vector<CommandEntry> commands = {LocalCommand(),
                                        StatusCommand(),
                                        WatchCommand(),
                                        EventsCommand(),
                                        GetCommand(),
                                        SetCommand(),
                                        EvictCommand(),
                                        StopCommand(),
                                        CheckpointNowCommand(),
                                        CheckpointListCommand(),
                                        CheckpointVerifyCommand(),
                                        DataTextCommand(),
                                        EvalCommand(),
                                        SampleCommand(),
                                        JobCheckCommand(),
                                        VersionCommand()};
  std::vector<std::string> names;
  for (const CommandEntry& command : commands) names.push_back(command.name);
  commands.push_back(CompletionCommand(std::move(names)));
  return commands;
}

}  // namespace tenor

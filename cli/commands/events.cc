#include <memory>
#include <string>

#include "base/status.h"
#include "cli/commands/commands.h"
#include "cli/commands/run_connection.h"
#include "cli/printable.h"

namespace tenor {
namespace {

class Events : public Command {
 public:
  void Declare(CommandSyntax& syntax) override {
    syntax.Flag("follow", &follow_, "go on with those to come");
  }

  absl::Status Run(CommandContext& context) override {
    TENOR_ASSIGN_OR_RETURN(RunConnection run, RunConnection::Open(context));
    return run.Explain(run.client().Events(follow_, [&](const std::string& json) {
      context.terminal.out << Printable(json) << "\n" << std::flush;
      return true;
    }));
  }

 private:
  bool follow_ = false;
};

}  // namespace

CommandEntry EventsCommand() {
  return {.name = "events",
          .summary = "joins, losses, evictions, checkpoints, changes: one line of JSON each",
          .examples =
              "  tenor --run tenor-runs/mlstm-fortunes events\n"
              "  tenor --server node0:7400 events --follow\n",
          .run_options = RunOptions::kServerOrFolder,
          .create = [] { return std::make_unique<Events>(); }};
}

}  // namespace tenor

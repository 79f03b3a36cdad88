#include <memory>
#include <string>

#include "base/status.h"
#include "cli/commands/commands.h"
#include "cli/commands/run_connection.h"
#include "cli/printable.h"

namespace tenor {
namespace {

class Stop : public Command {
 public:
  void Declare(CommandSyntax& syntax) override {
    syntax.Option("reason", &reason_, "for the event log");
  }

  absl::Status Run(CommandContext& context) override {
    TENOR_ASSIGN_OR_RETURN(RunConnection run, RunConnection::Open(context));
    const absl::StatusOr<wire::StopReply> reply = run.client().Stop(reason_);
    TENOR_RETURN_IF_ERROR(run.Explain(reply.status()));
    context.terminal.out << "stopping"
                         << (reply->sentence().empty() ? "" : ": " + Printable(reply->sentence()))
                         << "\n";
    return absl::OkStatus();
  }

 private:
  std::string reason_ = "tenor stop";
};

}  // namespace

CommandEntry StopCommand() {
  return {.name = "stop",
          .summary = "save a last checkpoint and end the run; started again, it goes on",
          .examples =
              "  tenor --run tenor-runs/mlstm-fortunes stop\n"
              "  tenor --server node0:7400 stop --reason 'power cut at noon'\n",
          .run_options = RunOptions::kServerOrFolder,
          .create = [] { return std::make_unique<Stop>(); }};
}

}  // namespace tenor

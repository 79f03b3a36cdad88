#include <memory>

#include "base/status.h"
#include "cli/commands/commands.h"
#include "cli/commands/run_connection.h"
#include "cli/message_json.h"
#include "cli/printable.h"

namespace tenor {
namespace {

class CheckpointNow : public Command {
 public:
  void Declare(CommandSyntax& syntax) override {
    syntax.Flag("json", &json_, "one line of JSON (CheckpointNowReply of proto/wire.proto)");
  }

  absl::Status Run(CommandContext& context) override {
    TENOR_ASSIGN_OR_RETURN(RunConnection run, RunConnection::Open(context));
    const absl::StatusOr<wire::CheckpointNowReply> reply = run.client().CheckpointNow();
    TENOR_RETURN_IF_ERROR(run.Explain(reply.status()));
    if (json_) {
      context.terminal.out << MessageJson(*reply) << "\n";
    } else {
      context.terminal.out << "saved " << Printable(reply->directory()) << ", step "
                           << reply->version() << "\n";
    }
    return absl::OkStatus();
  }

 private:
  bool json_ = false;
};

}  // namespace

CommandEntry CheckpointNowCommand() {
  return {.name = "checkpoint now",
          .summary = "save a checkpoint of the next step and wait until it is durable",
          .examples = "  tenor --run tenor-runs/mlstm-fortunes checkpoint now\n",
          .run_options = RunOptions::kServerOrFolder,
          .create = [] { return std::make_unique<CheckpointNow>(); }};
}

}  // namespace tenor

#include <memory>
#include <numbers>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/status.h"
#include "cli/commands/commands.h"
#include "cli/commands/run_connection.h"
#include "cli/message_json.h"
#include "cli/printable.h"

namespace tenor {
namespace {

std::string StepText(const wire::StepLine& line) {
  return absl::StrFormat(
      "step %d  g%d r%d w%d  %s  loss %.4f nats (%.4f bits)  rate %g  %d samples  %s  %d workers\n",
      line.step(), line.lineage(), line.round(), line.view(),
      absl::AsciiStrToLower(spec::Verdict::Type_Name(line.verdict())), line.loss_nats(),
      line.loss_nats() / std::numbers::ln2, line.learning_rate(), line.samples(),
      SecondsText(line.seconds()), line.members());
}

class Watch : public Command {
 public:
  void Declare(CommandSyntax& syntax) override {
    syntax.Option("steps", &steps_, "end after so many lines; 0 = go on");
    syntax.Flag("json", &json_, "one line of JSON a step (StepLine of proto/wire.proto)");
  }

  absl::Status Run(CommandContext& context) override {
    if (steps_ < 0) {
      return absl::InvalidArgumentError(absl::StrCat("--steps is ", steps_, "; give 0 or more"));
    }
    TENOR_ASSIGN_OR_RETURN(RunConnection run, RunConnection::Open(context));
    int64_t seen = 0;
    return run.Explain(run.client().Watch([&](const wire::StepLine& line) {
      context.terminal.out << (json_ ? absl::StrCat(MessageJson(line), "\n") : StepText(line))
                           << std::flush;
      return ++seen != steps_;
    }));
  }

 private:
  int64_t steps_ = 0;
  bool json_ = false;
};

}  // namespace

CommandEntry WatchCommand() {
  return {.name = "watch",
          .summary = "one line a step, as steps are made",
          .examples =
              "  tenor --run tenor-runs/mlstm-fortunes watch\n"
              "  tenor --server node0:7400 watch --steps 10 --json\n",
          .run_options = RunOptions::kServerOrFolder,
          .create = [] { return std::make_unique<Watch>(); }};
}

}  // namespace tenor

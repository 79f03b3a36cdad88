#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/status.h"
#include "cli/commands/commands.h"
#include "cli/commands/run_connection.h"
#include "cli/message_json.h"
#include "cli/printable.h"
#include "proto/tunable_words.h"

namespace tenor {
namespace {

class Set : public Command {
 public:
  void Declare(CommandSyntax& syntax) override {
    syntax.Arguments("SETTING", &words_, "NAME=VALUE; several take effect together");
    syntax.Option("at_step", &at_step_, "first step with the new values; 0 = as soon as possible");
    syntax.Flag("dry_run", &dry_run_, "only say what would happen");
    syntax.Flag("json", &json_, "one line of JSON (SetReply of proto/wire.proto)");
  }

  absl::Status Run(CommandContext& context) override {
    if (at_step_ < 0) {
      return absl::InvalidArgumentError(
          absl::StrCat("--at_step is ", at_step_, "; give a step to come, or 0"));
    }
    wire::SetRequest request;
    TENOR_ASSIGN_OR_RETURN(*request.mutable_change(), ParseTunables(words_));
    request.set_at_step(at_step_);
    request.set_dry_run(dry_run_);
    TENOR_ASSIGN_OR_RETURN(RunConnection run, RunConnection::Open(context));
    const absl::StatusOr<wire::SetReply> reply = run.client().Set(request);
    TENOR_RETURN_IF_ERROR(run.Explain(reply.status()));
    context.terminal.out << (json_ ? MessageJson(*reply) : Sentence(request, *reply)) << "\n";
    return absl::OkStatus();
  }

 private:
  static std::string Sentence(const wire::SetRequest& request, const wire::SetReply& reply) {
    return absl::StrCat(request.dry_run() ? "dry run, nothing changed: " : "",
                        absl::StrJoin(TunableWords(request.change()), " "), " from step ",
                        reply.from_step(), reply.sentence().empty() ? "" : "; ",
                        Printable(reply.sentence()));
  }

  std::vector<std::string> words_;
  int64_t at_step_ = 0;
  bool dry_run_ = false;
  bool json_ = false;
};

}  // namespace

CommandEntry SetCommand() {
  return {.name = "set",
          .summary = "change settings of a run while it goes on",
          .examples =
              "  tenor --run tenor-runs/mlstm-fortunes set accumulation_steps=4\n"
              "  tenor --server node0:7400 set push_codec=fp32 pull_codec=fp32 --at_step 900\n"
              "  tenor --server node0:7400 set min_workers=6 --dry_run\n",
          .run_options = RunOptions::kServerOrFolder,
          .create = [] { return std::make_unique<Set>(); }};
}

}  // namespace tenor

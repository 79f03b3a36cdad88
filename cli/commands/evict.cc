#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "cli/commands/commands.h"
#include "cli/commands/run_connection.h"
#include "cli/printable.h"

namespace tenor {
namespace {

class Evict : public Command {
 public:
  void Declare(CommandSyntax& syntax) override {
    syntax.Argument("NAME", &name_, "member name, as `tenor status` shows it");
  }

  absl::Status Run(CommandContext& context) override {
    TENOR_ASSIGN_OR_RETURN(RunConnection run, RunConnection::Open(context));
    const absl::StatusOr<wire::EvictReply> reply = run.client().Evict(name_);
    TENOR_RETURN_IF_ERROR(run.Explain(reply.status()));
    context.terminal.out << (reply->sentence().empty() ? absl::StrCat(name_, " is evicted")
                                                       : Printable(reply->sentence()))
                         << "\n";
    return absl::OkStatus();
  }

 private:
  std::string name_;
};

}  // namespace

CommandEntry EvictCommand() {
  return {.name = "evict",
          .summary = "take a worker out of the run for at least a minute",
          .examples = "  tenor --server node0:7400 evict node3-0\n",
          .run_options = RunOptions::kServerOrFolder,
          .create = [] { return std::make_unique<Evict>(); }};
}

}  // namespace tenor

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "cli/commands/commands.h"
#include "cli/commands/run_connection.h"
#include "cli/message_json.h"
#include "proto/tunable_words.h"

namespace tenor {
namespace {

// The words of `name` alone, or all where it is empty.
absl::StatusOr<std::vector<std::string>> Select(const spec::Tunables& tunables,
                                                const std::string& name) {
  std::vector<std::string> words = TunableWords(tunables);
  if (name.empty()) return words;
  for (const std::string& word : words) {
    if (absl::StartsWith(word, absl::StrCat(name, "="))) return std::vector<std::string>{word};
  }
  return absl::InvalidArgumentError(
      absl::StrCat(name, " is no tunable; `tenor get` without a name lists all"));
}

class Get : public Command {
 public:
  void Declare(CommandSyntax& syntax) override {
    syntax.OptionalArgument("NAME", &name_, "one tunable; all without");
    syntax.Flag("json", &json_, "one line of JSON (Tunables of proto/spec.proto), all of them");
  }

  absl::Status Run(CommandContext& context) override {
    TENOR_ASSIGN_OR_RETURN(RunConnection run, RunConnection::Open(context));
    const absl::StatusOr<wire::RunStatus> status = run.client().GetStatus();
    TENOR_RETURN_IF_ERROR(run.Explain(status.status()));
    if (json_) {
      context.terminal.out << MessageJson(status->tunables()) << "\n";
      return absl::OkStatus();
    }
    TENOR_ASSIGN_OR_RETURN(const std::vector<std::string> words, Select(status->tunables(), name_));
    const std::vector<std::string> pending = TunableWords(status->pending());
    for (const std::string& word : words) {
      const bool waits = std::find(pending.begin(), pending.end(), word) != pending.end();
      context.terminal.out << word << (waits ? "  (from the next round on)" : "") << "\n";
    }
    return absl::OkStatus();
  }

 private:
  std::string name_;
  bool json_ = false;
};

}  // namespace

CommandEntry GetCommand() {
  return {.name = "get",
          .summary = "the settings that may change while a run goes on",
          .examples =
              "  tenor --run tenor-runs/mlstm-fortunes get\n"
              "  tenor --server node0:7400 get accumulation_steps\n",
          .run_options = RunOptions::kServerOrFolder,
          .create = [] { return std::make_unique<Get>(); }};
}

}  // namespace tenor

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "cli/commands/commands.h"
#include "cli/commands/run_checkpoint.h"
#include "cli/printable.h"
#include "server/core/base_choice.h"
#include "server/runner/checkpoint_store.h"
#include "server/runner/run_paths.h"

namespace tenor {
namespace {

class CheckpointVerify : public Command {
 public:
  void Declare(CommandSyntax& syntax) override {
    syntax.OptionalArgument("NAME", &name_, "one checkpoint; all complete ones without");
  }

  absl::Status Run(CommandContext& context) override {
    if (context.run.empty()) {
      return absl::InvalidArgumentError("no run is named; give --run DIR");
    }
    TENOR_ASSIGN_OR_RETURN(const std::vector<CheckpointName> names, Names(context));
    const CheckpointStore store(context.files, context.run);
    int damaged = 0;
    for (const CheckpointName& name : names) {
      const absl::Status status = store.Verify(name);
      if (!status.ok() && !absl::IsDataLoss(status)) return status;
      if (!status.ok()) ++damaged;
      context.terminal.out << CheckpointDirectoryName(name)
                           << (status.ok() ? "  whole" : "  DAMAGED: ")
                           << Printable(status.message()) << "\n"
                           << std::flush;
    }
    if (damaged == 0) return absl::OkStatus();
    return absl::DataLossError(absl::StrCat(damaged, " of ", names.size(),
                                            " checkpoints are damaged; a run goes on from the "
                                            "newest that is whole"));
  }

 private:
  absl::StatusOr<std::vector<CheckpointName>> Names(CommandContext& context) const {
    if (!name_.empty()) {
      TENOR_ASSIGN_OR_RETURN(const RunCheckpoint one,
                             FindCheckpoint(context.files, context.run, name_));
      return std::vector<CheckpointName>{one.name};
    }
    TENOR_ASSIGN_OR_RETURN(const std::vector<CheckpointOnDisk> listed,
                           CheckpointStore(context.files, context.run).List());
    std::vector<CheckpointName> names;
    for (const CheckpointOnDisk& one : listed) {
      if (!one.damaged) names.push_back(one.name);
    }
    return names;
  }

  std::string name_;
};

}  // namespace

CommandEntry CheckpointVerifyCommand() {
  return {.name = "checkpoint verify",
          .summary = "compare the files of checkpoints with their sizes and checksums",
          .examples =
              "  tenor checkpoint verify --run tenor-runs/mlstm-fortunes\n"
              "  tenor checkpoint verify v000002000-g0001-r000002003 --run RUN\n",
          .run_options = RunOptions::kFolder,
          .create = [] { return std::make_unique<CheckpointVerify>(); }};
}

}  // namespace tenor

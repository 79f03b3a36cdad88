#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/status.h"
#include "cli/commands/commands.h"
#include "cli/printable.h"
#include "nlohmann/json.hpp"
#include "server/core/base_choice.h"
#include "server/runner/checkpoint_store.h"
#include "server/runner/run_paths.h"

namespace tenor {
namespace {

int64_t BytesOf(const spec::Manifest& manifest) {
  int64_t bytes = 0;
  for (const spec::CheckpointFile& file : manifest.files()) bytes += file.bytes();
  return bytes;
}

std::string TextLine(const std::string& name, const absl::StatusOr<spec::Manifest>& manifest) {
  if (!manifest.ok()) {
    return absl::StrCat(name, "  damaged: ", Printable(manifest.status().message()), "\n");
  }
  const spec::Record& record = manifest->record();
  return absl::StrFormat("%s  step %d  %.4f bits  %d servers  %s  %s%s\n", name, record.version(),
                         record.last_loss() / std::numbers::ln2, manifest->shards(),
                         BytesText(static_cast<double>(BytesOf(*manifest))),
                         Printable(manifest->wall_time()),
                         record.ended() ? "  end of the job" : "");
}

std::string JsonLine(const std::string& name, const absl::StatusOr<spec::Manifest>& manifest) {
  using Json = nlohmann::ordered_json;
  Json line = {{"name", name}, {"complete", manifest.ok()}};
  if (manifest.ok()) {
    line["step"] = manifest->record().version();
    line["loss_nats"] = manifest->record().last_loss();
    line["shards"] = manifest->shards();
    line["bytes"] = BytesOf(*manifest);
    line["time"] = manifest->wall_time();
    line["ended"] = manifest->record().ended();
  }
  return line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

class CheckpointList : public Command {
 public:
  void Declare(CommandSyntax& syntax) override {
    syntax.Flag("json", &json_, "one line of JSON a checkpoint");
  }

  absl::Status Run(CommandContext& context) override {
    if (context.run.empty()) {
      return absl::InvalidArgumentError("no run is named; give --run DIR");
    }
    TENOR_ASSIGN_OR_RETURN(const bool there, context.files.Exists(context.run));
    if (!there) return absl::NotFoundError("run folder " + context.run + " does not exist");
    const CheckpointStore store(context.files, context.run);
    const absl::StatusOr<std::vector<CheckpointOnDisk>> listed = store.List();
    if (!listed.ok() && !absl::IsNotFound(listed.status())) return listed.status();
    if (!listed.ok() || listed->empty()) {
      if (!json_) context.terminal.out << "no checkpoints in " << context.run << "\n";
      return absl::OkStatus();
    }
    for (const CheckpointOnDisk& one : *listed) context.terminal.out << Line(store, one);
    return absl::OkStatus();
  }

 private:
  std::string Line(const CheckpointStore& store, const CheckpointOnDisk& one) const {
    const std::string name = CheckpointDirectoryName(one.name);
    const absl::StatusOr<spec::Manifest> manifest =
        one.damaged ? absl::DataLossError("renamed when it could not be loaded")
                    : store.ReadManifest(one.name);
    return json_ ? JsonLine(name, manifest) : TextLine(name, manifest);
  }

  bool json_ = false;
};

}  // namespace

CommandEntry CheckpointListCommand() {
  return {.name = "checkpoint list",
          .summary = "the complete checkpoints in a run folder, oldest first",
          .examples = "  tenor checkpoint list --run tenor-runs/mlstm-fortunes\n",
          .run_options = RunOptions::kFolder,
          .create = [] { return std::make_unique<CheckpointList>(); }};
}

}  // namespace tenor

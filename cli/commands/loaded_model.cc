#include "cli/commands/loaded_model.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "cli/commands/run_checkpoint.h"
#include "cli/progress_line.h"
#include "model/checkpoint/weights_reader.h"
#include "model/job_model.h"
#include "proto/parse.h"
#include "server/runner/run_paths.h"

namespace tenor {
namespace {

absl::StatusOr<LoadedModel> MakeModel(const JobModel& job_model, spec::JobSpec job,
                                      const std::vector<float>& weights, int threads) {
  LoadedModel loaded;
  loaded.job = std::move(job);
  TENOR_ASSIGN_OR_RETURN(loaded.exec, Exec::Create({.threads = threads}));
  TENOR_ASSIGN_OR_RETURN(loaded.model, job_model.NewModel(DataType::kFloat32, loaded.exec.get()));
  TENOR_RETURN_IF_ERROR(loaded.model->SetWeights(weights));
  return loaded;
}

}  // namespace

absl::StatusOr<LoadedModel> LoadCheckpointModel(CommandContext& context,
                                                const std::string& checkpoint, int threads) {
  if (context.run.empty()) return absl::InvalidArgumentError("no run is named; give --run DIR");
  TENOR_ASSIGN_OR_RETURN(const RunCheckpoint found,
                         FindCheckpoint(context.files, context.run, checkpoint));
  const spec::Manifest& manifest = found.manifest;
  TENOR_ASSIGN_OR_RETURN(const JobModel job_model, JobModel::Create(manifest.job()));
  if (job_model.layout().Hash() != manifest.layout_hash() ||
      static_cast<int64_t>(job_model.layout().size()) != manifest.elements()) {
    return absl::FailedPreconditionError(
        absl::StrCat(found.folder,
                     " has another layout than this version of tenor makes from its "
                     "job; use version ",
                     manifest.tenor_version()));
  }
  ProgressLine line(context.terminal.err, context.terminal.err_is_terminal,
                    context.terminal.columns);
  TENOR_ASSIGN_OR_RETURN(
      const std::vector<float> weights,
      ReadCheckpointWeights(context.files, found.folder, manifest, [&](size_t done, size_t all) {
        line.Show(context.clock.Now(),
                  absl::StrCat("reading weights: ", done, " of ", all, " chunks"));
      }));
  line.Clear();
  TENOR_ASSIGN_OR_RETURN(LoadedModel loaded,
                         MakeModel(job_model, manifest.job(), weights, threads));
  loaded.origin = absl::StrCat("checkpoint ", CheckpointDirectoryName(found.name));
  loaded.step = manifest.record().version();
  return loaded;
}

absl::StatusOr<LoadedModel> LoadInitialModel(CommandContext& context, const std::string& job_path,
                                             int threads) {
  TENOR_ASSIGN_OR_RETURN(const std::string text, context.files.ReadFile(job_path));
  TENOR_ASSIGN_OR_RETURN(spec::JobSpec job,
                         ParseJobSpec(text, job_path, DataReference::kPathOrDigest));
  TENOR_ASSIGN_OR_RETURN(const JobModel job_model, JobModel::Create(job));
  TENOR_ASSIGN_OR_RETURN(LoadedModel loaded,
                         MakeModel(job_model, std::move(job), job_model.Initial(), threads));
  loaded.origin = absl::StrCat("the untrained model of ", job_path);
  return loaded;
}

}  // namespace tenor

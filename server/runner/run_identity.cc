#include "server/runner/run_identity.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/file_operations.h"
#include "base/path.h"
#include "base/status.h"
#include "proto/job_identity.h"
#include "proto/parse.h"
#include "server/runner/run_paths.h"

namespace tenor {
namespace {

std::string JobPath(absl::string_view run_folder) { return JoinPath(run_folder, "job.textproto"); }
std::string NoncePath(absl::string_view run_folder) { return JoinPath(run_folder, "run_nonce"); }

absl::Status CheckSameJob(absl::string_view run_folder, const spec::JobSpec& held,
                          const spec::JobSpec& given) {
  if (JobHash(held) == JobHash(given)) return absl::OkStatus();
  const std::vector<std::string> difference = DiffJobSpecs(held, given);
  return absl::FailedPreconditionError(absl::StrCat(
      run_folder, " holds a run of another job (", absl::StrJoin(difference, "; "),
      "): give --run_dir a new folder, or start a new run from a checkpoint with --resume_from"));
}

}  // namespace

absl::StatusOr<RunIdentity> JoinRun(FileSystem& files, absl::string_view run_folder,
                                    const spec::JobSpec& job) {
  RunIdentity identity;
  // The nonce is written last.
  TENOR_ASSIGN_OR_RETURN(identity.nonce, files.ReadFile(NoncePath(run_folder)));
  TENOR_ASSIGN_OR_RETURN(const std::string text, files.ReadFile(JobPath(run_folder)));
  absl::StatusOr<spec::JobSpec> held = ParseJobSpec(text, JobPath(run_folder));
  if (!held.ok()) return absl::DataLossError(held.status().message());
  TENOR_RETURN_IF_ERROR(CheckSameJob(run_folder, *held, job));
  identity.job = *std::move(held);
  return identity;
}

absl::StatusOr<RunIdentity> BeginRun(FileSystem& files, absl::string_view run_folder,
                                     const spec::JobSpec& job, absl::string_view fresh_nonce) {
  for (const std::string& folder :
       {std::string(run_folder), LineageFolder(run_folder), CheckpointsFolder(run_folder)}) {
    TENOR_RETURN_IF_ERROR(EnsureDirectory(files, folder));
  }
  absl::StatusOr<RunIdentity> present = JoinRun(files, run_folder, job);
  if (!absl::IsNotFound(present.status())) return present;
  TENOR_RETURN_IF_ERROR(ReplaceFile(files, JobPath(run_folder), PrintText(job)));
  TENOR_RETURN_IF_ERROR(ReplaceFile(files, NoncePath(run_folder), fresh_nonce));
  return JoinRun(files, run_folder, job);
}

}  // namespace tenor

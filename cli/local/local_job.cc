#include "cli/local/local_job.h"

#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/path.h"
#include "base/status.h"
#include "data/text_reader.h"
#include "proto/parse.h"
#include "proto/validate.h"

namespace tenor {

absl::StatusOr<LocalJob> LoadLocalJob(FileSystem& files, const std::string& job_path,
                                      const std::string& data_dir) {
  TENOR_ASSIGN_OR_RETURN(const std::string text, files.ReadFile(job_path));
  TENOR_ASSIGN_OR_RETURN(spec::JobSpec job,
                         ParseJobSpec(text, job_path, DataReference::kPathOrDigest));
  spec::TextData& data = *job.mutable_data()->mutable_text();
  if (data.path().empty() && data_dir.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        job_path, " names its data set by digest only; say where it lies with --data_dir"));
  }
  LocalJob local;
  local.data_folder = data_dir.empty() ? JoinPath(DirectoryName(job_path), data.path()) : data_dir;
  TENOR_ASSIGN_OR_RETURN(const std::unique_ptr<TextDataSet> found,
                         OpenTextDataSet(files, local.data_folder));
  if (!data.digest().empty()) TENOR_RETURN_IF_ERROR(CheckIsDataSetOf(*found, data));
  data.set_digest(found->digest());
  data.set_bytes(found->train_bytes());
  data.clear_path();
  local.job = FillDefaults(std::move(job));
  // With the size known, more can be wrong: segments that do not fit, for one.
  TENOR_RETURN_IF_ERROR(
      Annotate(ViolationStatus(FindViolation(local.job, DataReference::kDigest)), job_path));
  return local;
}

}  // namespace tenor

#ifndef TENOR_CLI_LOCAL_LOCAL_JOB_H_
#define TENOR_CLI_LOCAL_LOCAL_JOB_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/file_system.h"
#include "proto/spec.pb.h"

namespace tenor {

// A job as servers take it, and where its data set lies on this machine.
struct LocalJob {
  spec::JobSpec job;  // digest and size filled in, defaults too; no path
  std::string data_folder;
};

// Reads a job file and looks its data set up: in `data_dir`, or where that is empty in the job's
// data.text.path, relative to the job file's folder. Errors, one line: InvalidArgument (the job,
// with line and column; no path and no data_dir), FailedPrecondition (the folder holds another data
// set than the job's digest names), those of OpenTextDataSet and of the file system.
absl::StatusOr<LocalJob> LoadLocalJob(FileSystem& files, const std::string& job_path,
                                      const std::string& data_dir);

}  // namespace tenor

#endif  // TENOR_CLI_LOCAL_LOCAL_JOB_H_

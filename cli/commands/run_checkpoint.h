#ifndef TENOR_CLI_COMMANDS_RUN_CHECKPOINT_H_
#define TENOR_CLI_COMMANDS_RUN_CHECKPOINT_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/file_system.h"
#include "proto/spec.pb.h"
#include "server/core/names.h"

namespace tenor {

// One complete checkpoint of a run folder.
struct RunCheckpoint {
  CheckpointName name;
  std::string folder;
  spec::Manifest manifest;
};

// The one called `directory_name`, or where that is empty the one that the run would go on from.
// Errors: InvalidArgument (no such name), NotFound (the run has none, or not this one; says which
// there are), DataLoss (damaged), those of the file system.
absl::StatusOr<RunCheckpoint> FindCheckpoint(FileSystem& files, absl::string_view run_folder,
                                             absl::string_view directory_name);

}  // namespace tenor

#endif  // TENOR_CLI_COMMANDS_RUN_CHECKPOINT_H_

#ifndef TENOR_DATA_OUTPUT_FOLDER_H_
#define TENOR_DATA_OUTPUT_FOLDER_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/file_system.h"
#include "proto/spec.pb.h"

// What a build finds and leaves in its output folder. The files are made in a folder of their own
// inside it and moved when all are whole, dataset.textproto last.

namespace tenor {

// Where a build works below its output folder.
std::string WorkFolder(absl::string_view output);

// Makes an empty work folder. `wanted` has the build's options, sizes do not count. AlreadyExists
// if `output` holds a data set with other options or, without a cut-off build, anything at all.
absl::Status PrepareOutput(FileSystem& files, absl::string_view output,
                           const spec::DataSet& wanted);

// Moves the three data files out of the work folder and writes `dataset_textproto`; then removes
// the work folder. True if `output` held exactly this data set already and nothing was moved.
// AlreadyExists if it holds another one.
absl::StatusOr<bool> CommitOutput(FileSystem& files, absl::string_view output,
                                  const spec::DataSet& data_set,
                                  const std::string& dataset_textproto);

}  // namespace tenor

#endif  // TENOR_DATA_OUTPUT_FOLDER_H_

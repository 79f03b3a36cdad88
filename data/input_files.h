#ifndef TENOR_DATA_INPUT_FILES_H_
#define TENOR_DATA_INPUT_FILES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "base/file_system.h"

namespace tenor {

struct InputFile {
  std::string path;
  uint64_t bytes = 0;
};

struct InputFiles {
  std::vector<InputFile> files;
  int64_t skipped = 0;  // found in folders and left out, because they are no text
  uint64_t bytes = 0;   // of `files`
};

// The files that `paths` name, in that order; a folder stands for all files below it in byte order
// of their names. Of a folder are left out: names that begin with ".", files with a zero byte among
// their first 8 KiB, and the folder `except`. InvalidArgument for no path and for folders nested
// deeper than 64 (a link to itself); else the errors of the file system.
absl::StatusOr<InputFiles> ListInputFiles(FileSystem& files, const std::vector<std::string>& paths,
                                          absl::string_view except);

}  // namespace tenor

#endif  // TENOR_DATA_INPUT_FILES_H_

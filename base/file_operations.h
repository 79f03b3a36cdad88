#ifndef TENOR_BASE_FILE_OPERATIONS_H_
#define TENOR_BASE_FILE_OPERATIONS_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "base/file_system.h"

// Sequences of file system calls with one meaning. Errors are those of the calls.

namespace tenor {

// Creates the directory and its missing parents, durably; one that is there is fine.
// FailedPrecondition or AlreadyExists if a file has the name of one of them.
absl::Status EnsureDirectory(FileSystem& files, absl::string_view path);

// After success `path` durably holds `contents`; after an error or a crash at any point it holds
// either these or what it held before. Writes "PATH.tmp" first: one caller a path at a time.
absl::Status ReplaceFile(FileSystem& files, absl::string_view path, absl::string_view contents);

// Removes a file, or a directory and everything in it; nothing there is fine. Not atomic.
absl::Status RemoveTree(FileSystem& files, absl::string_view path);

}  // namespace tenor

#endif  // TENOR_BASE_FILE_OPERATIONS_H_

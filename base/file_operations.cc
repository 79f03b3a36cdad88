#include "base/file_operations.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/file_system.h"
#include "base/path.h"
#include "base/status.h"

namespace tenor {
namespace {

absl::Status WriteDurably(FileSystem& files, absl::string_view path, absl::string_view contents) {
  TENOR_ASSIGN_OR_RETURN(const std::unique_ptr<WritableFile> file, files.Create(path));
  TENOR_RETURN_IF_ERROR(file->Append(contents));
  TENOR_RETURN_IF_ERROR(file->Sync());
  return file->Close();
}

}  // namespace

absl::Status EnsureDirectory(FileSystem& files, absl::string_view path) {
  TENOR_ASSIGN_OR_RETURN(const bool exists, files.Exists(path));
  if (!exists) {
    const absl::string_view parent = DirectoryName(path);
    TENOR_RETURN_IF_ERROR(EnsureDirectory(files, parent));
    const absl::Status created = files.CreateDirectory(path);
    if (created.ok()) return files.SyncDirectory(parent);
    // Another process may have been faster.
    if (!absl::IsAlreadyExists(created)) return created;
  }
  TENOR_ASSIGN_OR_RETURN(const bool is_directory, files.IsDirectory(path));
  if (is_directory) return absl::OkStatus();
  return absl::AlreadyExistsError(
      absl::StrCat("create directory ", path, ": a file has that name"));
}

absl::Status ReplaceFile(FileSystem& files, absl::string_view path, absl::string_view contents) {
  const std::string temporary = absl::StrCat(path, ".tmp");
  TENOR_RETURN_IF_ERROR(WriteDurably(files, temporary, contents));
  TENOR_RETURN_IF_ERROR(files.Rename(temporary, path));
  return files.SyncDirectory(DirectoryName(path));
}

absl::Status RemoveTree(FileSystem& files, absl::string_view path) {
  const absl::StatusOr<bool> is_directory = files.IsDirectory(path);
  if (absl::IsNotFound(is_directory.status())) return absl::OkStatus();
  TENOR_RETURN_IF_ERROR(is_directory.status());
  if (*is_directory) {
    TENOR_ASSIGN_OR_RETURN(const std::vector<std::string> names, files.List(path));
    for (const std::string& name : names) {
      TENOR_RETURN_IF_ERROR(RemoveTree(files, JoinPath(path, name)));
    }
  }
  return files.Remove(path);
}

}  // namespace tenor

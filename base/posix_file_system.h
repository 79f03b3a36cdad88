#ifndef TENOR_BASE_POSIX_FILE_SYSTEM_H_
#define TENOR_BASE_POSIX_FILE_SYSTEM_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/file_system.h"

namespace tenor {

// The kernel's files. New files get mode 0640, new directories 0750, both less the process's umask;
// no descriptor passes to a program that is started. Holds no state.
class PosixFileSystem : public FileSystem {
 public:
  absl::StatusOr<std::unique_ptr<WritableFile>> Create(absl::string_view path) override;
  absl::StatusOr<std::unique_ptr<WritableFile>> CreateExclusive(absl::string_view path) override;
  absl::StatusOr<std::unique_ptr<WritableFile>> OpenForAppend(absl::string_view path) override;
  absl::StatusOr<std::unique_ptr<RandomAccessFile>> Open(absl::string_view path) override;
  absl::Status Rename(absl::string_view from, absl::string_view to) override;
  absl::Status Remove(absl::string_view path) override;
  absl::StatusOr<std::vector<std::string>> List(absl::string_view path) override;
  absl::Status CreateDirectory(absl::string_view path) override;
  absl::Status SyncDirectory(absl::string_view path) override;
  absl::StatusOr<bool> Exists(absl::string_view path) override;
  absl::StatusOr<bool> IsDirectory(absl::string_view path) override;
  absl::StatusOr<uint64_t> FileSize(absl::string_view path) override;
  absl::StatusOr<uint64_t> AvailableBytes(absl::string_view path) override;
};

}  // namespace tenor

#endif  // TENOR_BASE_POSIX_FILE_SYSTEM_H_

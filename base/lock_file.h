#ifndef TENOR_BASE_LOCK_FILE_H_
#define TENOR_BASE_LOCK_FILE_H_

#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/file_descriptor.h"

namespace tenor {

// Keeps two processes from the same folder by mistake. The kernel frees the lock when the holder
// dies, however it dies; across machines it holds where the shared file system carries flock. A
// convenience, no fence: the protocol's safety never hangs on it. Thread-compatible.
class LockFile {
 public:
  // Locks the file, created if it is not there, and writes `owner` into it for others to read.
  //
  // AlreadyExists: somebody holds it; the message says who. Other codes as in file_system.h, e.g.
  // Unavailable where the file system knows no locks.
  static absl::StatusOr<std::unique_ptr<LockFile>> Acquire(absl::string_view path,
                                                           absl::string_view owner);

  // Frees it; the file stays.
  ~LockFile() = default;
  LockFile(const LockFile&) = delete;
  LockFile& operator=(const LockFile&) = delete;

 private:
  explicit LockFile(FileDescriptor descriptor) : descriptor_(std::move(descriptor)) {}

  const FileDescriptor descriptor_;
};

}  // namespace tenor

#endif  // TENOR_BASE_LOCK_FILE_H_

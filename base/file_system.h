#ifndef TENOR_BASE_FILE_SYSTEM_H_
#define TENOR_BASE_FILE_SYSTEM_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

// The files of a machine, as an object that is passed in. Implementations: posix_file_system.h,
// memory_file_system.h, faulty_file_system.h.
//
// Errors of every call name the path and the cause. Codes: NotFound (no such file or directory),
// AlreadyExists, PermissionDenied, ResourceExhausted (disk full, quota, open files),
// FailedPrecondition (a directory where a file is needed or the reverse, a directory that is not
// empty, a closed file), InvalidArgument (a path the system cannot hold), Unavailable (input/output
// error and everything else).
//
// Durability: what was appended survives a crash of the machine after Sync; a new name, a rename
// and a removal do after SyncDirectory of the folder that holds the name.

namespace tenor {

// Single-threaded. Destruction without Close closes it and drops the error.
class WritableFile {
 public:
  virtual ~WritableFile() = default;

  // Writes all of `data` at the end. After an error the file's contents behind the last successful
  // Append are unspecified.
  virtual absl::Status Append(std::span<const std::byte> data) = 0;
  absl::Status Append(absl::string_view data);

  // Forces contents and size to the disk.
  virtual absl::Status Sync() = 0;

  // Without Sync. Every later call is FailedPrecondition, a second Close too.
  virtual absl::Status Close() = 0;
};

// Thread-safe. Keeps reading the file it was opened on if that is renamed, replaced or removed.
class RandomAccessFile {
 public:
  virtual ~RandomAccessFile() = default;

  // Fills all of `out` from byte `offset` on. OutOfRange if the file ends before.
  virtual absl::Status Read(uint64_t offset, std::span<std::byte> out) const = 0;

  // Bytes when the file was opened.
  virtual uint64_t Size() const = 0;
};

// Thread-safe.
class FileSystem {
 public:
  // What ReadFile takes into memory unless told otherwise.
  static constexpr uint64_t kDefaultReadLimit = uint64_t{64} << 20;

  virtual ~FileSystem() = default;

  // A file for writing, empty; an existing one is emptied.
  virtual absl::StatusOr<std::unique_ptr<WritableFile>> Create(absl::string_view path) = 0;

  // AlreadyExists if anything has that name. Of several callers, on one machine or on several that
  // share the folder, exactly one succeeds.
  virtual absl::StatusOr<std::unique_ptr<WritableFile>> CreateExclusive(absl::string_view path) = 0;

  // A file for writing behind what it holds; created if it is not there.
  virtual absl::StatusOr<std::unique_ptr<WritableFile>> OpenForAppend(absl::string_view path) = 0;

  virtual absl::StatusOr<std::unique_ptr<RandomAccessFile>> Open(absl::string_view path) = 0;

  // Replaces `to` if it is a file. Atomic.
  virtual absl::Status Rename(absl::string_view from, absl::string_view to) = 0;

  // A file or an empty directory.
  virtual absl::Status Remove(absl::string_view path) = 0;

  // The names in a directory, without "." and "..", in byte order.
  virtual absl::StatusOr<std::vector<std::string>> List(absl::string_view path) = 0;

  // AlreadyExists if anything has that name; NotFound without the parent. See EnsureDirectory.
  virtual absl::Status CreateDirectory(absl::string_view path) = 0;

  virtual absl::Status SyncDirectory(absl::string_view path) = 0;

  // True for a file or directory of that name. An error if that cannot be found out.
  virtual absl::StatusOr<bool> Exists(absl::string_view path) = 0;

  // False for a file; NotFound for nothing.
  virtual absl::StatusOr<bool> IsDirectory(absl::string_view path) = 0;

  virtual absl::StatusOr<uint64_t> FileSize(absl::string_view path) = 0;

  // Bytes that this process may still write below `path`, which exists.
  virtual absl::StatusOr<uint64_t> AvailableBytes(absl::string_view path) = 0;

  // The whole file. ResourceExhausted if it is larger than `limit` bytes.
  absl::StatusOr<std::string> ReadFile(absl::string_view path, uint64_t limit = kDefaultReadLimit);
};

}  // namespace tenor

#endif  // TENOR_BASE_FILE_SYSTEM_H_

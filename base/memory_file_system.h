#ifndef TENOR_BASE_MEMORY_FILE_SYSTEM_H_
#define TENOR_BASE_MEMORY_FILE_SYSTEM_H_

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/file_system.h"

namespace tenor {

// A file system in memory that forgets like a disk does; for tests and simulations. Relative paths
// begin at the root; ".." is InvalidArgument; there are no links. Thread-safe.
class MemoryFileSystem : public FileSystem {
 public:
  static constexpr uint64_t kUnlimited = std::numeric_limits<uint64_t>::max();

  // Holds at most `capacity` bytes in its files; a write that would exceed it is ResourceExhausted.
  explicit MemoryFileSystem(uint64_t capacity = kUnlimited);
  ~MemoryFileSystem() override;

  // The machine loses power, in the worst way that the contract allows: contents that were not
  // synced go back to the last Sync (or to nothing), names created, renamed or removed since the
  // last SyncDirectory of their folder go back too. Files opened before fail with Unavailable.
  void DropUnsynced();

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

 private:
  struct Node;
  struct Disk;
  struct Place;
  class Reader;
  class Writer;

  enum class OnExisting { kTruncate, kRefuse, kAppend };

  absl::StatusOr<std::unique_ptr<WritableFile>> OpenWritable(absl::string_view path,
                                                             OnExisting on_existing);

  // Files that are open share it.
  const std::shared_ptr<Disk> disk_;
};

}  // namespace tenor

#endif  // TENOR_BASE_MEMORY_FILE_SYSTEM_H_

#ifndef TENOR_BASE_FAULTY_FILE_SYSTEM_H_
#define TENOR_BASE_FAULTY_FILE_SYSTEM_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/file_system.h"

namespace tenor {

// kAny stands for every operation together; reads and look-ups count as kRead.
enum class FileOperation {
  kAny,
  kCreate,
  kWrite,
  kSync,
  kClose,
  kRename,
  kRemove,
  kCreateDirectory,
  kSyncDirectory,
  kRead,
};

// Calls number nth, nth + 1, .., nth + count - 1 of that operation, counted from 1 since the fault
// was set, fail with `status`.
struct FileFault {
  FileOperation operation = FileOperation::kAny;
  uint64_t nth = 1;
  uint64_t count = 1;
  absl::Status status = absl::ResourceExhaustedError("No space left on device");
};

// Another file system whose calls fail when told to; for tests and simulations. A failing write has
// written the first half of its bytes; nothing else that fails has an effect. To try every point of
// a sequence: run it once, ask Calls(kAny), then run it that often with nth = 1, 2, ..
// Thread-safe.
class FaultyFileSystem : public FileSystem {
 public:
  // `base` is borrowed and outlives it.
  explicit FaultyFileSystem(FileSystem& base);
  ~FaultyFileSystem() override;

  // Adds to the faults that are set.
  void SetFault(FileFault fault);
  void ClearFaults();

  // Calls so far, failed ones included.
  uint64_t Calls(FileOperation operation) const;

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
  class Faults;
  class Reader;
  class Writer;

  absl::StatusOr<std::unique_ptr<WritableFile>> Wrap(
      absl::string_view path, absl::StatusOr<std::unique_ptr<WritableFile>> file) const;

  FileSystem& base_;
  // Files that are open share it.
  const std::shared_ptr<Faults> faults_;
};

}  // namespace tenor

#endif  // TENOR_BASE_FAULTY_FILE_SYSTEM_H_

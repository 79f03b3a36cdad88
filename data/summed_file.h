#ifndef TENOR_DATA_SUMMED_FILE_H_
#define TENOR_DATA_SUMMED_FILE_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/file_system.h"

namespace tenor {

// A file written through a buffer, with the crc32c of what was written. Single-threaded. Errors are
// those of the file.
class SummedFile {
 public:
  static absl::StatusOr<SummedFile> Create(FileSystem& files, absl::string_view path,
                                           size_t buffer_bytes);

  absl::Status Append(absl::string_view data);
  // Little-endian.
  absl::Status AppendU64(uint64_t value);
  // What the buffer holds goes to the file.
  absl::Status Flush();
  // Flush, to the disk, closed.
  absl::Status Commit();
  // Flush and closed: for files that live no longer than the process.
  absl::Status Close();

  uint64_t bytes() const { return bytes_; }  // appended
  uint32_t crc32c() const { return crc_; }   // of these

 private:
  SummedFile(std::unique_ptr<WritableFile> file, size_t buffer_bytes)
      : file_(std::move(file)), buffer_bytes_(buffer_bytes) {}

  std::unique_ptr<WritableFile> file_;
  size_t buffer_bytes_;
  std::string buffer_;
  uint64_t bytes_ = 0;
  uint32_t crc_ = 0;
};

}  // namespace tenor

#endif  // TENOR_DATA_SUMMED_FILE_H_

#ifndef TENOR_BASE_FILE_DESCRIPTOR_H_
#define TENOR_BASE_FILE_DESCRIPTOR_H_

#include "absl/status/status.h"

namespace tenor {

// Owns a descriptor of the kernel and closes it. Thread-compatible.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int fd) : fd_(fd) {}
  ~FileDescriptor();
  FileDescriptor(FileDescriptor&& other) noexcept;
  FileDescriptor& operator=(FileDescriptor&& other) noexcept;

  // -1 if it owns none.
  int get() const { return fd_; }
  bool valid() const { return fd_ >= 0; }

  // Owns none afterwards, whatever the result; some file systems report a failed write only here.
  absl::Status Close();

 private:
  int fd_ = -1;
};

}  // namespace tenor

#endif  // TENOR_BASE_FILE_DESCRIPTOR_H_

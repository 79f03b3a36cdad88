#include "base/file_descriptor.h"

#include <unistd.h>

#include <cerrno>
#include <utility>

#include "absl/status/status.h"
#include "base/errno_status.h"

namespace tenor {

FileDescriptor::~FileDescriptor() { Close().IgnoreError(); }

FileDescriptor::FileDescriptor(FileDescriptor&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)) {}

FileDescriptor& FileDescriptor::operator=(FileDescriptor&& other) noexcept {
  if (this != &other) {
    Close().IgnoreError();
    fd_ = std::exchange(other.fd_, -1);
  }
  return *this;
}

absl::Status FileDescriptor::Close() {
  if (!valid()) return absl::OkStatus();
  const int fd = std::exchange(fd_, -1);
  // EINTR means closed on Linux; to try again could close another thread's descriptor.
  if (close(fd) == 0 || errno == EINTR) return absl::OkStatus();
  return ErrnoStatus(errno, "close", "descriptor");
}

}  // namespace tenor

#include "base/process.h"

#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "base/errno_status.h"

namespace tenor {

absl::StatusOr<std::string> Hostname() {
  // 64 characters on Linux; the last byte stays 0.
  char name[256] = {};
  if (gethostname(name, sizeof(name) - 1) != 0) return ErrnoStatus(errno, "read", "hostname");
  return std::string(name);
}

absl::StatusOr<uint64_t> RaiseOpenFilesLimit() {
  rlimit limit = {};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return ErrnoStatus(errno, "read", "open-files limit");
  limit.rlim_cur = limit.rlim_max;
  if (setrlimit(RLIMIT_NOFILE, &limit) != 0) return ErrnoStatus(errno, "raise", "open-files limit");
  return static_cast<uint64_t>(limit.rlim_cur);
}

}  // namespace tenor

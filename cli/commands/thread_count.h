#ifndef TENOR_CLI_COMMANDS_THREAD_COUNT_H_
#define TENOR_CLI_COMMANDS_THREAD_COUNT_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"

namespace tenor {

// What --threads says; 0 = `cores`. InvalidArgument beyond 1024.
inline absl::StatusOr<int> ThreadCount(int64_t flag, int cores) {
  if (flag < 0 || flag > 1024) {
    return absl::InvalidArgumentError(
        absl::StrCat("--threads is ", flag, "; allowed are 0 (all cores) to 1024"));
  }
  return flag == 0 ? cores : static_cast<int>(flag);
}

}  // namespace tenor

#endif  // TENOR_CLI_COMMANDS_THREAD_COUNT_H_

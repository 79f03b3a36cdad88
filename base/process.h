#ifndef TENOR_BASE_PROCESS_H_
#define TENOR_BASE_PROCESS_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"

// What mains ask of the kernel about themselves. Cores and memory: resource_limits.h.

namespace tenor {

// The machine's name as the kernel knows it, without a domain where it has none.
absl::StatusOr<std::string> Hostname();

// Raises the limit of open files to what this process is allowed and returns it.
absl::StatusOr<uint64_t> RaiseOpenFilesLimit();

}  // namespace tenor

#endif  // TENOR_BASE_PROCESS_H_

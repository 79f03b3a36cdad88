#ifndef TENOR_BASE_RESOURCE_LIMITS_H_
#define TENOR_BASE_RESOURCE_LIMITS_H_

#include <cstdint>
#include <functional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

// How much of the machine this process may use: the kernel's answers for its processors and memory,
// cut by the control groups (version 2 and version 1) that it is in.

namespace tenor {

// The text of a file that the kernel makes up ("/proc/self/cgroup"); such files do not know their
// size. An error if it cannot be read or is over 256 KiB.
using KernelFileReader = std::function<absl::StatusOr<std::string>(absl::string_view path)>;
absl::StatusOr<std::string> ReadKernelFile(absl::string_view path);

// Whole cores, at least 1: the processors in the affinity mask, cut by the CPU quota (rounded down)
// of the group or of any group above it.
int UsableCores(int affinity_cores, const KernelFileReader& read);

// UsableCores of this process.
int UsableCores();

struct MemoryLimits {
  // Bytes that this process's group, or the machine, may hold at all. 0: unknown.
  uint64_t total = 0;
  // Bytes that are free now: what can be had without swapping, caches counted as free. 0: unknown.
  uint64_t free = 0;
};

MemoryLimits UsableMemory(const KernelFileReader& read);

}  // namespace tenor

#endif  // TENOR_BASE_RESOURCE_LIMITS_H_

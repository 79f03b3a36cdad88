#include "base/resource_limits.h"

#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "base/errno_status.h"
#include "base/file_descriptor.h"
#include "base/path.h"

namespace tenor {
namespace {

constexpr size_t kLongestKernelFile = size_t{256} << 10;
constexpr char kGroupRoot[] = "/sys/fs/cgroup";

// A group's folder and those of the groups above it; some may not be there (in a container the
// group's path is the host's).
std::vector<std::string> GroupFolders(const std::string& mount, absl::string_view group) {
  std::vector<std::string> folders;
  while (!group.empty() && group != "/" && group != ".") {
    folders.push_back(absl::StrCat(mount, group));
    group = DirectoryName(group);
  }
  folders.push_back(mount);
  return folders;
}

// Where the settings of one resource are, for whichever version holds them.
struct Groups {
  std::vector<std::string> unified;  // version 2
  std::vector<std::string> legacy;   // version 1, of the controller asked for
};

// Lines of /proc/self/cgroup: "0::/group" (version 2) and "4:cpu,cpuacct:/group" (version 1).
Groups FindGroups(absl::string_view controller, const KernelFileReader& read) {
  Groups groups;
  const absl::StatusOr<std::string> text = read("/proc/self/cgroup");
  if (!text.ok()) return groups;
  for (const absl::string_view line : absl::StrSplit(*text, '\n', absl::SkipEmpty())) {
    const std::vector<absl::string_view> fields = absl::StrSplit(line, absl::MaxSplits(':', 2));
    if (fields.size() != 3) continue;
    if (fields[1].empty()) groups.unified = GroupFolders(kGroupRoot, fields[2]);
    const std::vector<absl::string_view> controllers = absl::StrSplit(fields[1], ',');
    if (std::find(controllers.begin(), controllers.end(), controller) == controllers.end()) {
      continue;
    }
    // The mount carries the controllers' joint name or, as a link, each name.
    groups.legacy = GroupFolders(absl::StrCat(kGroupRoot, "/", controller), fields[2]);
  }
  return groups;
}

std::optional<uint64_t> ReadNumber(const std::string& path, const KernelFileReader& read) {
  const absl::StatusOr<std::string> text = read(path);
  uint64_t value = 0;
  // "max" and "-1" stand for no limit and are no numbers here.
  if (!text.ok() || !absl::SimpleAtoi(*text, &value)) return std::nullopt;
  return value;
}

// The number behind "key" in lines of "key: 123 kB" or "key 123".
std::optional<uint64_t> ReadField(const std::string& path, absl::string_view key,
                                  const KernelFileReader& read) {
  const absl::StatusOr<std::string> text = read(path);
  if (!text.ok()) return std::nullopt;
  for (const absl::string_view line : absl::StrSplit(*text, '\n')) {
    const std::vector<absl::string_view> words =
        absl::StrSplit(line, absl::ByAnyChar(": \t"), absl::SkipEmpty());
    uint64_t value = 0;
    if (words.size() >= 2 && words[0] == key && absl::SimpleAtoi(words[1], &value)) return value;
  }
  return std::nullopt;
}

// quota / period in whole cores, at least 1.
std::optional<uint64_t> Cores(std::optional<uint64_t> quota, std::optional<uint64_t> period) {
  if (!quota.has_value() || !period.has_value() || *period == 0) return std::nullopt;
  return std::max<uint64_t>(1, *quota / *period);
}

std::optional<uint64_t> UnifiedCores(const std::string& folder, const KernelFileReader& read) {
  const absl::StatusOr<std::string> text = read(folder + "/cpu.max");
  if (!text.ok()) return std::nullopt;
  const std::vector<absl::string_view> words =
      absl::StrSplit(*text, absl::ByAnyChar(" \n"), absl::SkipEmpty());
  uint64_t quota = 0;
  uint64_t period = 0;
  if (words.size() != 2 || !absl::SimpleAtoi(words[0], &quota) ||
      !absl::SimpleAtoi(words[1], &period)) {
    return std::nullopt;
  }
  return Cores(quota, period);
}

std::optional<uint64_t> LegacyCores(const std::string& folder, const KernelFileReader& read) {
  return Cores(ReadNumber(folder + "/cpu.cfs_quota_us", read),
               ReadNumber(folder + "/cpu.cfs_period_us", read));
}

// What one version calls its files.
struct MemoryFiles {
  const char* limit;
  const char* usage;
  const char* inactive_file_key;
};

// A group's limit and what is left below it cut `limits`.
void CutMemory(const std::string& folder, const MemoryFiles& files, const KernelFileReader& read,
               MemoryLimits* limits) {
  const std::optional<uint64_t> limit = ReadNumber(absl::StrCat(folder, files.limit), read);
  // Version 1 writes "no limit" as a number beyond any machine's memory.
  if (!limit.has_value() || *limit >= limits->total) return;
  limits->total = *limit;
  const uint64_t used = ReadNumber(absl::StrCat(folder, files.usage), read).value_or(0);
  const uint64_t cache =
      std::min(used, ReadField(folder + "/memory.stat", files.inactive_file_key, read).value_or(0));
  const uint64_t held = used - cache;
  limits->free = std::min(limits->free, *limit > held ? *limit - held : 0);
}

int AffinityCores() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof(set), &set) == 0) return CPU_COUNT(&set);
  // More processors than a cpu_set_t holds.
  return static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

}  // namespace

absl::StatusOr<std::string> ReadKernelFile(absl::string_view path) {
  const FileDescriptor file(open(std::string(path).c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.valid()) return ErrnoStatus(errno, "open", path);
  std::string text;
  char buffer[4096];
  while (text.size() <= kLongestKernelFile) {
    const ssize_t got = read(file.get(), buffer, sizeof(buffer));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return ErrnoStatus(errno, "read", path);
    if (got == 0) return text;
    text.append(buffer, static_cast<size_t>(got));
  }
  return absl::ResourceExhaustedError(
      absl::StrCat("read ", path, ": longer than ", kLongestKernelFile, " bytes"));
}

int UsableCores(int affinity_cores, const KernelFileReader& read) {
  auto cores = static_cast<uint64_t>(std::max(1, affinity_cores));
  const Groups groups = FindGroups("cpu", read);
  for (const std::string& folder : groups.unified) {
    cores = std::min(cores, UnifiedCores(folder, read).value_or(cores));
  }
  for (const std::string& folder : groups.legacy) {
    cores = std::min(cores, LegacyCores(folder, read).value_or(cores));
  }
  return static_cast<int>(cores);
}

int UsableCores() { return UsableCores(AffinityCores(), ReadKernelFile); }

MemoryLimits UsableMemory(const KernelFileReader& read) {
  constexpr uint64_t kUnknown = std::numeric_limits<uint64_t>::max();
  const auto bytes = [&read](absl::string_view key) {
    const std::optional<uint64_t> kib = ReadField("/proc/meminfo", key, read);
    return kib.has_value() ? *kib * 1024 : kUnknown;
  };
  MemoryLimits limits{.total = bytes("MemTotal"), .free = bytes("MemAvailable")};
  const Groups groups = FindGroups("memory", read);
  for (const std::string& folder : groups.unified) {
    CutMemory(folder, {"/memory.max", "/memory.current", "inactive_file"}, read, &limits);
  }
  for (const std::string& folder : groups.legacy) {
    CutMemory(folder, {"/memory.limit_in_bytes", "/memory.usage_in_bytes", "total_inactive_file"},
              read, &limits);
  }
  if (limits.total == kUnknown) limits.total = 0;
  if (limits.free == kUnknown) limits.free = 0;
  return limits;
}

}  // namespace tenor

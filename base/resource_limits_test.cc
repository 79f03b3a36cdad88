#include "base/resource_limits.h"

#include <map>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/status_testing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tenor {
namespace {

using ::testing::HasSubstr;

constexpr char kMeminfo[] =
    "MemTotal:       16000 kB\nMemFree:         1000 kB\nMemAvailable:    8000 kB\n";

KernelFileReader Files(std::map<std::string, std::string> files) {
  return [files](absl::string_view path) -> absl::StatusOr<std::string> {
    const auto found = files.find(std::string(path));
    if (found == files.end()) return absl::NotFoundError(path);
    return found->second;
  };
}

TEST(UsableCoresTest, WithoutGroupsAffinityCounts) {
  EXPECT_EQ(UsableCores(8, Files({})), 8);
  EXPECT_EQ(UsableCores(0, Files({})), 1);
}

TEST(UsableCoresTest, UnifiedQuotaCutsAndRoundsDown) {
  EXPECT_EQ(UsableCores(8, Files({{"/proc/self/cgroup", "0::/a\n"},
                                  {"/sys/fs/cgroup/a/cpu.max", "350000 100000\n"}})),
            3);
  EXPECT_EQ(UsableCores(8, Files({{"/proc/self/cgroup", "0::/a\n"},
                                  {"/sys/fs/cgroup/a/cpu.max", "50000 100000\n"}})),
            1);
  EXPECT_EQ(UsableCores(2, Files({{"/proc/self/cgroup", "0::/a\n"},
                                  {"/sys/fs/cgroup/a/cpu.max", "350000 100000\n"}})),
            2);
}

TEST(UsableCoresTest, NoQuotaIsNoCut) {
  EXPECT_EQ(UsableCores(8, Files({{"/proc/self/cgroup", "0::/a\n"},
                                  {"/sys/fs/cgroup/a/cpu.max", "max 100000\n"}})),
            8);
}

TEST(UsableCoresTest, TheStrictestGroupAboveCounts) {
  EXPECT_EQ(UsableCores(8, Files({{"/proc/self/cgroup", "0::/a/b/c\n"},
                                  {"/sys/fs/cgroup/a/b/c/cpu.max", "max 100000\n"},
                                  {"/sys/fs/cgroup/a/b/cpu.max", "400000 100000\n"},
                                  {"/sys/fs/cgroup/a/cpu.max", "200000 100000\n"}})),
            2);
}

TEST(UsableCoresTest, InAContainerTheRootHoldsTheLimit) {
  EXPECT_EQ(UsableCores(8, Files({{"/proc/self/cgroup", "0::/of/the/host\n"},
                                  {"/sys/fs/cgroup/cpu.max", "200000 100000\n"}})),
            2);
}

TEST(UsableCoresTest, LegacyQuotaCuts) {
  const std::string groups = "5:memory:/m\n4:cpu,cpuacct:/a\n0::/\n";
  EXPECT_EQ(UsableCores(8, Files({{"/proc/self/cgroup", groups},
                                  {"/sys/fs/cgroup/cpu/a/cpu.cfs_quota_us", "200000\n"},
                                  {"/sys/fs/cgroup/cpu/a/cpu.cfs_period_us", "100000\n"}})),
            2);
  EXPECT_EQ(UsableCores(8, Files({{"/proc/self/cgroup", groups},
                                  {"/sys/fs/cgroup/cpu/a/cpu.cfs_quota_us", "-1\n"},
                                  {"/sys/fs/cgroup/cpu/a/cpu.cfs_period_us", "100000\n"}})),
            8);
}

TEST(UsableCoresTest, NonsenseIsNoCut) {
  EXPECT_EQ(UsableCores(8, Files({{"/proc/self/cgroup", "\n::\nx\n0::/a\n"},
                                  {"/sys/fs/cgroup/a/cpu.max", "1 0\n"}})),
            8);
  EXPECT_EQ(
      UsableCores(8, Files({{"/proc/self/cgroup", "0::/a\n"}, {"/sys/fs/cgroup/a/cpu.max", ""}})),
      8);
}

TEST(UsableMemoryTest, WithoutGroupsTheMachineCounts) {
  const MemoryLimits limits = UsableMemory(Files({{"/proc/meminfo", kMeminfo}}));
  EXPECT_EQ(limits.total, 16000u * 1024);
  EXPECT_EQ(limits.free, 8000u * 1024);
}

TEST(UsableMemoryTest, UnknownIsZero) {
  const MemoryLimits limits = UsableMemory(Files({}));
  EXPECT_EQ(limits.total, 0u);
  EXPECT_EQ(limits.free, 0u);
}

TEST(UsableMemoryTest, UnifiedLimitCutsAndCacheIsFree) {
  const MemoryLimits limits =
      UsableMemory(Files({{"/proc/meminfo", kMeminfo},
                          {"/proc/self/cgroup", "0::/a\n"},
                          {"/sys/fs/cgroup/a/memory.max", "1000000\n"},
                          {"/sys/fs/cgroup/a/memory.current", "600000\n"},
                          {"/sys/fs/cgroup/a/memory.stat", "anon 5\ninactive_file 100000\n"}}));
  EXPECT_EQ(limits.total, 1000000u);
  EXPECT_EQ(limits.free, 500000u);
}

TEST(UsableMemoryTest, LegacyLimitCuts) {
  const MemoryLimits limits = UsableMemory(
      Files({{"/proc/meminfo", kMeminfo},
             {"/proc/self/cgroup", "4:memory:/a\n0::/\n"},
             {"/sys/fs/cgroup/memory/a/memory.limit_in_bytes", "1000000\n"},
             {"/sys/fs/cgroup/memory/a/memory.usage_in_bytes", "1200000\n"},
             {"/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n"}}));
  EXPECT_EQ(limits.total, 1000000u);
  EXPECT_EQ(limits.free, 0u);
}

TEST(UsableMemoryTest, NoLimitIsNoCut) {
  const MemoryLimits limits = UsableMemory(Files({{"/proc/meminfo", kMeminfo},
                                                  {"/proc/self/cgroup", "0::/a\n"},
                                                  {"/sys/fs/cgroup/a/memory.max", "max\n"}}));
  EXPECT_EQ(limits.total, 16000u * 1024);
}

TEST(ResourceLimitsTest, ThisMachineHasSome) {
  EXPECT_GE(UsableCores(), 1);
  const MemoryLimits limits = UsableMemory(ReadKernelFile);
  EXPECT_GT(limits.total, 0u);
  EXPECT_LE(limits.free, limits.total);
}

TEST(ReadKernelFileTest, ReadsFilesWithoutASizeAndRefusesEndlessOnes) {
  EXPECT_THAT(ReadKernelFile("/proc/self/status"), IsOkAndHolds(HasSubstr("Name:")));
  EXPECT_THAT(ReadKernelFile("/dev/zero"),
              StatusIs(absl::StatusCode::kResourceExhausted, HasSubstr("/dev/zero")));
  EXPECT_THAT(ReadKernelFile("/proc/no"), StatusIs(absl::StatusCode::kNotFound));
}

}  // namespace
}  // namespace tenor

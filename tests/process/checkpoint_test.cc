// Checkpoints on disks that lose bytes or have no room.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "base/path.h"
#include "tests/process/cluster.h"

namespace tenor {
namespace {

using ::testing::HasSubstr;

std::string Folder(const char* name) { return JoinPath(testing::TempDir(), name); }

TEST(CheckpointTest, ATruncatedOneIsSetAsideAndTheNextOlderUsed) {
  Cluster cluster(Folder("truncated"), 2, {.updates = 100000, .checkpoint_every = 10});
  cluster.Start(1);
  ASSERT_TRUE(cluster.WaitUntil([&] { return cluster.NewestCheckpoint() >= 20; }))
      << cluster.Logs();
  cluster.KillAll();
  const int64_t newest = cluster.NewestCheckpoint();
  const std::string path = cluster.CheckpointPath(newest);
  const std::string shard = JoinPath(path, cluster.ReadManifest(newest).files(1).name());
  std::filesystem::resize_file(shard, std::filesystem::file_size(shard) / 2);

  cluster.Start(1);
  ASSERT_TRUE(cluster.WaitForStep(newest + 5, /*lineage=*/2)) << cluster.Logs();
  EXPECT_FALSE(std::filesystem::exists(path));
  EXPECT_TRUE(std::filesystem::exists(absl::StrCat(path, ".damaged")));
  const EventLine* claim = nullptr;
  const EventLine* damaged = nullptr;
  for (const EventLine& event : cluster.log().Events()) {
    if (event.kind == "claim") claim = &event;
    if (event.kind == "damaged") damaged = &event;
  }
  ASSERT_NE(damaged, nullptr);
  EXPECT_THAT(damaged->reason, HasSubstr(shard));
  EXPECT_THAT(claim->detail, HasSubstr(absl::StrCat("base version ", newest - 10, " ")));
  const std::vector<StepLine> steps = cluster.log().Path();
  for (size_t i = 0; i < steps.size(); ++i) EXPECT_EQ(steps[i].step, static_cast<int64_t>(i) + 1);
}

// A disk of two megabytes that is full until it is told otherwise.
class SmallDisk {
 public:
  // Mounts a tmpfs, seen by this process and what it starts; false where the kernel refuses.
  bool Mount(const std::string& folder) {
    folder_ = folder;
    if (unshare(CLONE_NEWNS) != 0 && unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return false;
    if (mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return false;
    mounted_ = mount("tmpfs", folder.c_str(), "tmpfs", 0, "size=2m") == 0;
    return mounted_;
  }
  ~SmallDisk() {
    if (mounted_) umount2(folder_.c_str(), MNT_DETACH);
  }

  void Fill() const {
    std::ofstream ballast(Ballast(), std::ios::binary);
    const std::string page(4096, '-');
    while (ballast.write(page.data(), static_cast<std::streamsize>(page.size())).flush()) {
    }
  }
  void Free() const { std::filesystem::remove(Ballast()); }

 private:
  std::string Ballast() const { return JoinPath(folder_, "ballast"); }

  std::string folder_;
  bool mounted_ = false;
};

// The largest file that a running process may write.
void LimitFiles(const Program& program, rlim_t bytes) {
  const rlimit limit = {.rlim_cur = bytes, .rlim_max = RLIM_INFINITY};
  ASSERT_EQ(prlimit(program.pid(), RLIMIT_FSIZE, &limit, nullptr), 0);
}

int64_t StepOf(Cluster& cluster) {
  const std::string page = cluster.Get("server", 0, "/metrics").body;
  const size_t line = page.find("\ntenor_step{");
  double step = 0;
  if (line == std::string::npos) return 0;
  const size_t value = page.find("} ", line) + 2;
  return absl::SimpleAtod(page.substr(value, page.find('\n', value) - value), &step)
             ? static_cast<int64_t>(step)
             : 0;
}

TEST(CheckpointTest, AFullDiskCostsACheckpointAndNothingElse) {
  Cluster cluster(Folder("full"), 1,
                  {.updates = 100000, .checkpoint_every = 10, .keep_checkpoints = 1});
  SmallDisk disk;
  const bool mounted = disk.Mount(cluster.run_dir());
  // Without room a write fails; beyond the limit it fails alike where this signal is ignored.
  signal(SIGXFSZ, SIG_IGN);
  cluster.Start(1);
  ASSERT_TRUE(cluster.WaitUntil([&] { return cluster.NewestCheckpoint() >= 10; }))
      << cluster.Logs();

  // A checkpoint has a quarter of a megabyte, logs are shorter.
  mounted ? disk.Fill() : LimitFiles(cluster.server(0), 100000);
  const auto alarmed = [&] {
    return cluster.server(0).Output().find("save_failed") != std::string::npos;
  };
  ASSERT_TRUE(cluster.WaitUntil(alarmed)) << cluster.Logs();
  const int64_t old = cluster.NewestCheckpoint();
  const int64_t at_alarm = StepOf(cluster);
  EXPECT_GT(at_alarm, 0);
  EXPECT_TRUE(cluster.WaitUntil([&] { return StepOf(cluster) > at_alarm + 5; }));
  EXPECT_EQ(cluster.NewestCheckpoint(), old);

  mounted ? disk.Free() : LimitFiles(cluster.server(0), RLIM_INFINITY);
  EXPECT_TRUE(cluster.WaitUntil([&] { return cluster.NewestCheckpoint() > old; }))
      << cluster.Logs();
  EXPECT_TRUE(cluster.WaitForStep(at_alarm + 10));
  EXPECT_TRUE(cluster.WaitForEvent("save_failed"));
  const std::vector<StepLine> steps = cluster.log().Path();
  for (size_t i = 0; i < steps.size(); ++i) EXPECT_EQ(steps[i].step, static_cast<int64_t>(i) + 1);
  cluster.KillAll();
}

}  // namespace
}  // namespace tenor

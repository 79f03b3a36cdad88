// A run that was killed and resumed ends with the bits of one that was not (docs/protocol.md 8).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "absl/strings/str_cat.h"
#include "base/path.h"
#include "tests/process/cluster.h"

namespace tenor {
namespace {

constexpr int64_t kCut = 20;

std::string Folder(const std::string& name) { return JoinPath(testing::TempDir(), name); }

JobOptions Job(int workers) {
  return {.updates = 2 * kCut,
          .accumulation_steps = 10,
          .checkpoint_every = kCut,
          .min_workers = workers};
}

using Tensors = std::map<std::string, std::string>;

Tensors Uninterrupted(int servers, int workers) {
  Cluster cluster(Folder(absl::StrCat("whole", servers, workers)), servers, Job(workers));
  cluster.Start(workers);
  EXPECT_TRUE(cluster.AllEndWell());
  return cluster.CheckpointTensors(2 * kCut);
}

// Everything is killed some steps behind the cut; `servers_after` go on.
Tensors Interrupted(int servers, int servers_after, int workers) {
  Cluster cluster(Folder(absl::StrCat("cut", servers, servers_after, workers)), servers,
                  Job(workers));
  cluster.Start(workers);
  EXPECT_TRUE(cluster.WaitForEvent("checkpoint")) << cluster.Logs();
  EXPECT_TRUE(cluster.WaitForStep(kCut + 1));
  cluster.KillAll();
  EXPECT_EQ(cluster.NewestCheckpoint(), kCut) << "the run was over before it was killed";
  cluster.SetServers(servers_after);
  cluster.Start(workers);
  EXPECT_TRUE(cluster.AllEndWell());
  EXPECT_EQ(cluster.log().Steps().back().lineage, 2);
  return cluster.CheckpointTensors(2 * kCut);
}

// Names the first tensors that differ, not their bytes.
void ExpectSameBits(const Tensors& resumed, const Tensors& whole) {
  ASSERT_EQ(resumed.size(), whole.size());
  EXPECT_FALSE(whole.empty());
  for (const auto& [name, bytes] : whole) {
    EXPECT_TRUE(resumed.at(name) == bytes) << name << " differs";
  }
}

TEST(ResumeTest, OneWorkerGivesTheSameBits) {
  ExpectSameBits(Interrupted(1, 1, 1), Uninterrupted(1, 1));
}

TEST(ResumeTest, TwoWorkersGiveTheSameBitsOnAnyNumberOfServers) {
  const Tensors whole = Uninterrupted(2, 2);
  ExpectSameBits(Interrupted(2, 2, 2), whole);
  ExpectSameBits(Interrupted(1, 3, 2), whole);
}

}  // namespace
}  // namespace tenor

// Servers that die or are told to end; the run goes on from the last cut.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/path.h"
#include "tests/process/cluster.h"

namespace tenor {
namespace {

using ::testing::HasSubstr;

std::string Folder(const std::string& name) { return JoinPath(testing::TempDir(), name); }

const EventLine* LastEvent(const std::vector<EventLine>& events, const std::string& kind) {
  for (size_t i = events.size(); i-- > 0;) {
    if (events[i].kind == kind) return &events[i];
  }
  return nullptr;
}

class KilledServerTest : public testing::TestWithParam<int> {};

TEST_P(KilledServerTest, TheRunRollsBackToTheLastCutAndWorkersLiveOn) {
  const int killed = GetParam();
  Cluster cluster(
      Folder(absl::StrCat("server", killed)), 2,
      {.updates = 100000, .accumulation_steps = 20, .checkpoint_every = 10, .min_workers = 2});
  cluster.Start(2);
  ASSERT_TRUE(cluster.WaitForStep(13)) << cluster.Logs();
  ASSERT_TRUE(cluster.WaitForEvent("checkpoint"));
  const int pids[] = {cluster.worker(0).pid(), cluster.worker(1).pid()};

  cluster.server(killed).Kill();
  const int64_t cut = cluster.NewestCheckpoint();
  const int64_t reached = cluster.log().Steps().back().step;
  const size_t lines = cluster.log().Steps().size();
  ASSERT_GE(cut, 10);
  cluster.StartServer(killed);
  ASSERT_TRUE(cluster.WaitForStep(reached + 10, /*lineage=*/2)) << cluster.Logs();

  // Between the count above and the end of the old process nothing may have been added.
  const std::vector<StepLine>& steps = cluster.log().Steps();
  size_t first = lines;
  while (steps[first].lineage == 1) ++first;
  EXPECT_EQ(steps[first].step, cut + 1);
  EXPECT_THAT(LastEvent(cluster.log().Events(), "claim")->detail,
              HasSubstr(absl::StrCat("base version ", cut)));
  for (int worker : {0, 1}) {
    EXPECT_TRUE(cluster.worker(worker).Runs());
    EXPECT_EQ(cluster.worker(worker).pid(), pids[worker]);
  }
  const ProgramResult stopped = cluster.Tenor({"stop"});
  EXPECT_EQ(stopped.code, 0) << stopped.output;
  ASSERT_TRUE(cluster.AllEndWell());
  EXPECT_EQ(cluster.ReadManifest(cluster.NewestCheckpoint()).record().ledger().committed_samples(),
            cluster.log().CommittedSamples());
}

INSTANTIATE_TEST_SUITE_P(Both, KilledServerTest, testing::Values(0, 1));

TEST(ServerLossTest, ServersThatAreToldToEndSaveFirstAndAnyNumberGoesOn) {
  Cluster cluster(Folder("told"), 2, {.updates = 100000, .min_workers = 1});
  cluster.Start(2);
  ASSERT_TRUE(cluster.WaitForMembers(2)) << cluster.Logs();
  cluster.SignalServers(SIGTERM);
  ASSERT_TRUE(cluster.AllEndWell());
  const int64_t first = cluster.NewestCheckpoint();
  EXPECT_EQ(first, cluster.log().Steps().back().step);
  EXPECT_FALSE(cluster.ReadManifest(first).record().ended());

  cluster.SetServers(3);
  cluster.Start(1);
  ASSERT_TRUE(cluster.WaitForStep(first + 5, 2)) << cluster.Logs();
  cluster.SignalServers(SIGTERM);
  ASSERT_TRUE(cluster.server(0).WaitForExit(Cluster::kLimit).has_value());
  const int64_t second = cluster.NewestCheckpoint();
  EXPECT_EQ(second, cluster.log().Steps().back().step);
  EXPECT_EQ(cluster.ReadManifest(second).shards(), 3);

  cluster.KillAll();
  cluster.SetServers(1);
  cluster.Start(2);
  ASSERT_TRUE(cluster.WaitForStep(second + 5, 3)) << cluster.Logs();
  const std::vector<StepLine> path = cluster.log().Path();
  for (size_t i = 0; i < path.size(); ++i) EXPECT_EQ(path[i].step, static_cast<int64_t>(i) + 1);
}

TEST(ServerLossTest, OneServerThatIsToldToEndSavesFirstAndIsWaitedFor) {
  Cluster cluster(Folder("one"), 2, {.updates = 100000});
  cluster.Start(1);
  ASSERT_TRUE(cluster.WaitForStep(5)) << cluster.Logs();
  cluster.server(1).Signal(SIGTERM);
  EXPECT_EQ(cluster.server(1).ExitCode(Cluster::kLimit), 0) << cluster.Logs();
  const int64_t saved = cluster.NewestCheckpoint();
  EXPECT_EQ(saved, cluster.log().Steps().back().step);
  EXPECT_TRUE(cluster.server(0).Runs());
  cluster.StartServer(1);
  EXPECT_TRUE(cluster.WaitForStep(saved + 5, 2)) << cluster.Logs();
  EXPECT_EQ(cluster.log().Path().size(), static_cast<size_t>(cluster.log().Steps().back().step));
}

TEST(ServerLossTest, ASecondSignalEndsAServerAtOnce) {
  Cluster cluster(Folder("second"), 2, {.updates = 100000});
  cluster.Start(1);
  ASSERT_TRUE(cluster.WaitForStep(2)) << cluster.Logs();
  // No checkpoint can be made while one of two stands still.
  cluster.server(1).Signal(SIGSTOP);
  cluster.server(0).Signal(SIGTERM);
  const auto told = [&] {
    return cluster.server(0).Output().find("a second signal") != std::string::npos;
  };
  ASSERT_TRUE(cluster.WaitUntil(told));
  EXPECT_TRUE(cluster.server(0).Runs());
  cluster.server(0).Signal(SIGTERM);
  EXPECT_EQ(cluster.server(0).ExitCode(absl::Seconds(5)), 1) << cluster.Logs();
}

}  // namespace
}  // namespace tenor

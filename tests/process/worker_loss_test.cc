// Workers that die, leave, stand still or cannot be reached.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <string>
#include <vector>

#include "base/path.h"
#include "tests/process/cluster.h"
#include "tests/process/tcp_relay.h"

namespace tenor {
namespace {

std::string Folder(const char* name) { return JoinPath(testing::TempDir(), name); }

// Steps of some 100 ms: a loss hits the middle of a round.
JobOptions LongSteps() {
  return {.updates = 100000, .accumulation_steps = 150, .heartbeat_timeout = 1};
}

// Steps that are short beside heartbeat_timeout: what is measured is the wait for the lost one.
JobOptions ShortSteps() {
  return {.updates = 1000000, .accumulation_steps = 10, .heartbeat_timeout = 1};
}

// The run stops with a checkpoint of its newest step.
void Stop(Cluster& cluster) {
  const ProgramResult stopped = cluster.Tenor({"stop"});
  ASSERT_EQ(stopped.code, 0) << stopped.output;
  ASSERT_TRUE(cluster.AllEndWell());
}

// No sample is lost and none counted twice.
void ExpectLedgerAgrees(Cluster& cluster) {
  const spec::Manifest manifest = cluster.ReadManifest(cluster.NewestCheckpoint());
  EXPECT_EQ(manifest.record().ledger().committed_samples(), cluster.log().CommittedSamples());
  const std::vector<StepLine> path = cluster.log().Path();
  for (size_t i = 0; i < path.size(); ++i) EXPECT_EQ(path[i].step, static_cast<int64_t>(i) + 1);
}

const EventLine* FindEvent(const std::vector<EventLine>& events, size_t after,
                           const std::string& kind, const std::string& who) {
  for (size_t i = after; i < events.size(); ++i) {
    if (events[i].kind == kind && events[i].who == who) return &events[i];
  }
  return nullptr;
}

// From `since` to the first step behind the first `after` that has so many members.
absl::Duration TimeToStep(Cluster& cluster, int64_t members, size_t after, absl::Duration since) {
  const std::vector<StepLine>& steps = cluster.log().Steps();
  const auto found = std::find_if(steps.begin() + static_cast<ptrdiff_t>(after), steps.end(),
                                  [&](const StepLine& line) { return line.members == members; });
  return found == steps.end() ? absl::InfiniteDuration() : found->seen - since;
}

TEST(WorkerLossTest, AKilledWorkerCostsItsShareOfOneStep) {
  Cluster cluster(Folder("killed"), 2, LongSteps());
  cluster.Start(2);
  ASSERT_TRUE(cluster.WaitForMembers(2)) << cluster.Logs();

  const size_t before = cluster.log().Steps().size();
  const size_t events_before = cluster.log().Events().size();
  cluster.worker(1).Kill();
  ASSERT_TRUE(cluster.WaitForMembers(1, before)) << cluster.Logs();
  // The round of the loss, or, where its report was in already, the next one.
  EXPECT_LE(cluster.log().Steps().size(), before + 2);
  EXPECT_NE(FindEvent(cluster.log().Events(), events_before, "lost", "w-1"), nullptr);

  const size_t alone = cluster.log().Steps().size();
  const size_t events_alone = cluster.log().Events().size();
  cluster.StartWorker(1);
  ASSERT_TRUE(cluster.WaitForMembers(2, alone)) << cluster.Logs();
  const EventLine* join = FindEvent(cluster.log().Events(), events_alone, "join", "w-1");
  ASSERT_NE(join, nullptr);
  const std::vector<StepLine>& steps = cluster.log().Steps();
  const auto together = std::find_if(steps.begin() + static_cast<ptrdiff_t>(alone), steps.end(),
                                     [](const StepLine& line) { return line.members == 2; });
  // It joins during the round after `join->step`; two rounds begin after that one.
  EXPECT_LE(together->step, join->step + 3);

  Stop(cluster);
  ExpectLedgerAgrees(cluster);
}

TEST(WorkerLossTest, AWorkerThatIsToldToEndLeavesAtTheRoundsEnd) {
  Cluster cluster(Folder("leaves"), 2, LongSteps());
  cluster.Start(2);
  ASSERT_TRUE(cluster.WaitForMembers(2)) << cluster.Logs();

  const size_t before = cluster.log().Steps().size();
  cluster.worker(1).Signal(SIGTERM);
  EXPECT_EQ(cluster.worker(1).ExitCode(Cluster::kLimit), 0) << cluster.Logs();
  ASSERT_TRUE(cluster.WaitForMembers(1, before));
  const EventLine* lost = FindEvent(cluster.log().Events(), 0, "lost", "w-1");
  ASSERT_NE(lost, nullptr);
  EXPECT_EQ(lost->reason, "leaves");
  // The round in which it was told counts it.
  EXPECT_EQ(cluster.log().Steps()[before].members, 2);

  Stop(cluster);
  ExpectLedgerAgrees(cluster);
}

TEST(WorkerLossTest, ASecondSignalEndsAWorkerAtOnce) {
  Cluster cluster(Folder("twice"), 1, {.updates = 100000, .accumulation_steps = 20000});
  cluster.Start(1);
  ASSERT_TRUE(cluster.WaitForEvent("view")) << cluster.Logs();
  cluster.worker(0).Signal(SIGTERM);
  const auto told = [&] {
    return cluster.worker(0).Output().find("a second signal") != std::string::npos;
  };
  ASSERT_TRUE(cluster.WaitUntil(told));
  cluster.worker(0).Signal(SIGTERM);
  EXPECT_EQ(cluster.worker(0).ExitCode(absl::Seconds(2)), 1);
}

TEST(WorkerLossTest, AWorkerThatStandsStillHoldsAStepForHeartbeatTimeout) {
  Cluster cluster(Folder("still"), 2, ShortSteps());
  cluster.Start(2);
  ASSERT_TRUE(cluster.WaitForMembers(2)) << cluster.Logs();

  const size_t before = cluster.log().Steps().size();
  const absl::Duration stopped_at = MonotonicNow();
  cluster.worker(1).Signal(SIGSTOP);
  ASSERT_TRUE(cluster.WaitForMembers(1, before)) << cluster.Logs();
  EXPECT_LT(TimeToStep(cluster, 1, before, stopped_at), absl::Seconds(1 + 1));

  const size_t alone = cluster.log().Steps().size();
  cluster.worker(1).Signal(SIGCONT);
  EXPECT_TRUE(cluster.WaitForMembers(2, alone)) << cluster.Logs();
  Stop(cluster);
  ExpectLedgerAgrees(cluster);
}

TEST(WorkerLossTest, VanishingPacketsHoldAStepForHeartbeatTimeout) {
  Cluster cluster(Folder("vanish"), 1, ShortSteps());
  // The server listens on its port and is known by the relay's.
  TcpRelay relay(cluster.port(0));
  cluster.SetAddress(0, relay.port());
  cluster.Start(1);
  ASSERT_TRUE(cluster.WaitForStep(1)) << cluster.Logs();
  relay.BeginSecondGroup();
  cluster.StartWorker(1);
  ASSERT_TRUE(cluster.WaitForMembers(2)) << cluster.Logs();

  const size_t before = cluster.log().Steps().size();
  const absl::Duration lost_at = MonotonicNow();
  relay.SwallowSecondGroup();
  ASSERT_TRUE(cluster.WaitForMembers(1, before)) << cluster.Logs();
  EXPECT_LT(TimeToStep(cluster, 1, before, lost_at), absl::Seconds(1 + 1));

  const size_t alone = cluster.log().Steps().size();
  relay.Heal();
  EXPECT_TRUE(cluster.WaitForMembers(2, alone)) << cluster.Logs();
  EXPECT_TRUE(cluster.worker(1).Runs());
}

}  // namespace
}  // namespace tenor

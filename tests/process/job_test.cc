// A run from its start to its end, changes while it goes on, its metrics and health.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/file_operations.h"
#include "base/path.h"
#include "tests/process/cluster.h"

namespace tenor {
namespace {

using ::testing::HasSubstr;

std::string Folder(const char* name) { return JoinPath(testing::TempDir(), name); }

double MeanLoss(const std::vector<StepLine>& steps, size_t from, size_t count) {
  double sum = 0;
  for (size_t i = from; i < from + count; ++i) sum += steps[i].loss_nats;
  return sum / static_cast<double>(count);
}

TEST(JobTest, RunsToItsEndAndSaysDoneWhenStartedAgain) {
  Cluster cluster(Folder("end"), /*servers=*/2,
                  {.updates = 60, .checkpoint_every = 20, .min_workers = 2});
  cluster.Start(/*workers=*/2);
  ASSERT_TRUE(cluster.AllEndWell());

  const std::vector<StepLine> steps = cluster.log().Steps();
  ASSERT_EQ(steps.size(), 60u);
  for (size_t i = 0; i < steps.size(); ++i) {
    EXPECT_EQ(steps[i].verdict, "applied");
    EXPECT_EQ(steps[i].step, static_cast<int64_t>(i) + 1);
    EXPECT_EQ(steps[i].members, 2);
  }
  EXPECT_LT(MeanLoss(steps, 50, 10), MeanLoss(steps, 0, 10) - 0.3);

  const spec::Manifest manifest = cluster.ReadManifest(60);
  EXPECT_TRUE(manifest.record().ended());
  EXPECT_EQ(manifest.record().ledger().committed_samples(), cluster.log().CommittedSamples());
  const ProgramResult verified = cluster.Tenor({"checkpoint", "verify"});
  EXPECT_EQ(verified.code, 0) << verified.output;

  for (int worker : {0, 1}) cluster.StartWorker(worker);
  cluster.StartServers();
  EXPECT_TRUE(cluster.AllEndWell());
  EXPECT_EQ(cluster.log().Steps().size(), 60u);
  EXPECT_EQ(cluster.log().Events().back().kind, "exit");
}

TEST(JobTest, AChangeHoldsFromExactlyTheStepThatIsNamed) {
  Cluster cluster(Folder("set"), 2, {.updates = 100000, .min_workers = 1});
  cluster.Start(1);
  ASSERT_TRUE(cluster.WaitForStep(5)) << cluster.Logs();

  const ProgramResult set = cluster.Tenor({"set", "accumulation_steps=2"});
  ASSERT_EQ(set.code, 0) << set.output;
  const size_t at = set.output.find("from step ");
  ASSERT_NE(at, std::string::npos) << set.output;
  const int64_t from = std::stoll(set.output.substr(at + 10));
  ASSERT_TRUE(cluster.WaitForStep(from + 5));
  // A round that computes on version N makes step N + 1.
  for (const StepLine& line : cluster.log().Steps()) {
    EXPECT_EQ(line.accumulation_steps, line.step > from ? 2 : 1) << "step " << line.step;
  }
}

TEST(JobTest, ARunWithoutCoordinatorIsNamedByTheCommandLine) {
  Cluster cluster(Folder("silent"), 1, {.updates = 100000});
  cluster.Start(1);
  ASSERT_TRUE(cluster.WaitForStep(2)) << cluster.Logs();
  ASSERT_TRUE(cluster.WaitUntil([&] {
    return cluster.files().Exists(JoinPath(cluster.run_dir(), "endpoints.textproto")).value();
  }));
  cluster.KillAll();

  const ProgramResult set = cluster.Tenor({"set", "accumulation_steps=2"});
  EXPECT_EQ(set.code, 1);
  EXPECT_THAT(set.output, HasSubstr(cluster.address(0)));
  EXPECT_THAT(set.output, HasSubstr("does not answer"));
  EXPECT_EQ(std::count(set.output.begin(), set.output.end(), '\n'), 1) << set.output;
}

TEST(JobTest, MetricsAndHealthOfEveryProcess) {
  Cluster cluster(Folder("metrics"), 2, {.updates = 100000});
  cluster.Start(1);
  ASSERT_TRUE(cluster.WaitForStep(3)) << cluster.Logs();

  const std::vector<std::pair<std::string, int>> processes = {
      {"server", 0}, {"server", 1}, {"worker", 0}};
  for (const auto& [role, index] : processes) {
    SCOPED_TRACE(absl::StrCat(role, " ", index));
    EXPECT_EQ(cluster.Get(role, index, "/healthz").code, 200);
    EXPECT_TRUE(cluster.WaitUntil([&] { return cluster.Get(role, index, "/readyz").code == 200; }));
    EXPECT_EQ(cluster.Get(role, index, "/other").code, 404);
    const Cluster::Page metrics = cluster.Get(role, index, "/metrics");
    EXPECT_EQ(metrics.code, 200);
    EXPECT_THAT(metrics.body, HasSubstr("tenor_build_info"));
    const std::string file = JoinPath(cluster.folder(), "metrics.txt");
    ASSERT_TRUE(ReplaceFile(cluster.files(), file, metrics.body).ok());
    const ProgramResult checked = RunProgram(
        "/bin/sh", {"-c", absl::StrCat("promtool check metrics < ", file)}, cluster.folder());
    EXPECT_EQ(checked.code, 0) << checked.output;
  }
  EXPECT_THAT(cluster.Get("server", 0, "/metrics").body, HasSubstr("\ntenor_step{"));
}

TEST(JobTest, ReadinessSaysWhatIsMissing) {
  Cluster cluster(Folder("ready"), 1, {.updates = 100000, .min_workers = 2});
  cluster.Start(1);
  Cluster::Page page;
  const auto one_is_here = [&] {
    page = cluster.Get("server", 0, "/readyz");
    return page.body.find("1 of min_workers 2") != std::string::npos;
  };
  EXPECT_TRUE(cluster.WaitUntil(one_is_here)) << page.body << cluster.Logs();
  EXPECT_EQ(page.code, 503);
  EXPECT_EQ(cluster.Get("worker", 0, "/readyz").code, 503);
  EXPECT_EQ(cluster.Get("server", 0, "/healthz").code, 200);
}

}  // namespace
}  // namespace tenor

// Real programs (shell scripts in the place of servers and workers) under the supervisor.
#include "cli/local/cluster_runner.h"

#include <sys/stat.h>
#include <unistd.h>

#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/clock.h"
#include "base/file_operations.h"
#include "base/path.h"
#include "base/posix_file_system.h"
#include "base/status_testing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tenor {
namespace {

using testing::HasSubstr;
using testing::Not;

class ClusterRunnerTest : public testing::Test {
 protected:
  ClusterRunnerTest()
      : folder_(JoinPath(testing::TempDir(),
                         absl::StrCat(testing::UnitTest::GetInstance()->current_test_info()->name(),
                                      "-", getpid()))) {
    EXPECT_THAT(EnsureDirectory(files_, folder_), IsOk());
  }

  // One server, one worker. Scripts see the run folder as $0.
  Supervisor::Outcome Run(const std::string& server, const std::string& worker) {
    std::vector<PlannedProcess> planned;
    for (const std::string& script : {server, worker}) {
      planned.push_back({.program = "/bin/sh",
                         .arguments = {"-c", script, folder_},
                         .log_path = JoinPath(folder_, absl::StrCat(planned.size(), ".log"))});
    }
    CommandContext context{
        .terminal = {.out = out_, .err = err_}, .files = files_, .clock = clock_};
    auto runner = ClusterRunner::Create(context, planned, /*servers=*/1, folder_, stop_);
    EXPECT_THAT(runner, IsOk());
    const auto outcome = (*runner)->Run();
    EXPECT_THAT(outcome, IsOk());
    summary_ = (*runner)->progress().Summary(absl::Seconds(1));
    return outcome.ok() ? *outcome : Supervisor::Outcome{-1, ""};
  }

  const std::string folder_;
  PosixFileSystem files_;
  RealClock clock_;
  spec::StopSpec stop_;
  std::ostringstream out_;
  std::ostringstream err_;
  std::string summary_;
};

TEST_F(ClusterRunnerTest, EndsWhenAllHaveEndedAndReadsTheMetrics) {
  const auto outcome =
      Run(R"(echo '{"step":3,"verdict":"applied","loss_nats":2,"members":1}' >> $0/metrics.jsonl)",
          "exit 0");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(summary_, HasSubstr("1 step (to step 3)"));
}

TEST_F(ClusterRunnerTest, StartsAgainWhatDied) {
  // The server waits for the worker's second life.
  ASSERT_EQ(mkfifo(JoinPath(folder_, "second").c_str(), 0600), 0);
  const auto outcome = Run("read line < $0/second",
                           "if [ -e $0/first ]; then echo go > $0/second; exit 0; fi; "
                           "touch $0/first; echo oh no; kill -KILL $$");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(err_.str(), HasSubstr("worker 0 ended with signal 9 (Killed); it is started again"));
  EXPECT_THAT(err_.str(), HasSubstr("  oh no\n"));
}

TEST_F(ClusterRunnerTest, RefusalEndsTheClusterWithItsCodeAndLog) {
  ASSERT_EQ(mkfifo(JoinPath(folder_, "never").c_str(), 0600), 0);
  const auto outcome = Run("read line < $0/never", "printf 'wrong \\033[1m job\\n'; exit 3");
  EXPECT_EQ(outcome.code, 3);
  EXPECT_EQ(outcome.reason, "worker 0 ended with exit code 3");
  EXPECT_THAT(err_.str(), HasSubstr("  wrong \\x1b[1m job\n"));
  EXPECT_THAT(err_.str(), Not(HasSubstr("\x1b")));
}

TEST_F(ClusterRunnerTest, SignalStopsTheServersInOrder) {
  ASSERT_EQ(mkfifo(JoinPath(folder_, "ready").c_str(), 0600), 0);
  ASSERT_EQ(mkfifo(JoinPath(folder_, "never").c_str(), 0600), 0);
  const auto outcome = Run("trap 'echo saved; exit 0' TERM; echo > $0/ready; read line < $0/never",
                           "read line < $0/ready; kill -TERM $PPID; exit 0");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.reason, "stopped");
  EXPECT_THAT(files_.ReadFile(JoinPath(folder_, "0.log")), IsOkAndHolds(std::string("saved\n")));
  EXPECT_THAT(err_.str(), HasSubstr("saving a checkpoint and stopping"));
}

}  // namespace
}  // namespace tenor

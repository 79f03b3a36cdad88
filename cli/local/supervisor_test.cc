#include "cli/local/supervisor.h"

#include <csignal>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tenor {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Action = Supervisor::Action;

constexpr ProcessExit kClean{};
constexpr ProcessExit kKilled{.signal = SIGKILL};

// "start 0", "signal 1 15", "log 2", "say".
std::vector<std::string> Words(const std::vector<Action>& actions) {
  std::vector<std::string> words;
  for (const Action& action : actions) {
    switch (action.kind) {
      case Action::Kind::kStart:
        words.push_back(absl::StrCat("start ", action.process));
        break;
      case Action::Kind::kSignal:
        words.push_back(absl::StrCat("signal ", action.process, " ", action.signal));
        break;
      case Action::Kind::kShowLog:
        words.push_back(absl::StrCat("log ", action.process));
        break;
      case Action::Kind::kSay:
        words.push_back("say");
        break;
    }
  }
  return words;
}

absl::Duration At(double seconds) { return absl::Seconds(seconds); }

// Two servers (0, 1) and two workers (2, 3), all running.
class SupervisorTest : public testing::Test {
 protected:
  SupervisorTest() {
    EXPECT_THAT(Words(supervisor_.Begin()),
                ElementsAre("start 0", "start 1", "start 2", "start 3"));
  }

  std::vector<std::string> Exit(double now, int process, const ProcessExit& exit) {
    return Words(supervisor_.OnExit(At(now), process, exit));
  }
  std::vector<std::string> Tick(double now) { return Words(supervisor_.OnTick(At(now))); }

  Supervisor supervisor_{2, 2};
};

TEST_F(SupervisorTest, RunThatEndsByItself) {
  EXPECT_THAT(Exit(10, 2, kClean), IsEmpty());
  for (int process : {0, 1}) EXPECT_THAT(Exit(10, process, kClean), IsEmpty());
  EXPECT_FALSE(supervisor_.outcome().has_value());
  EXPECT_THAT(Exit(11, 3, kClean), IsEmpty());
  ASSERT_TRUE(supervisor_.outcome().has_value());
  EXPECT_EQ(supervisor_.outcome()->code, 0);
  EXPECT_EQ(supervisor_.outcome()->reason, "");
}

TEST_F(SupervisorTest, DeadProcessIsStartedAgainAfterABackoff) {
  EXPECT_THAT(Exit(10, 3, kKilled), ElementsAre("log 3", "say"));
  EXPECT_FALSE(supervisor_.outcome().has_value());
  EXPECT_THAT(Tick(10.1), IsEmpty());
  EXPECT_THAT(Tick(10.2), ElementsAre("start 3"));
  EXPECT_THAT(Tick(10.3), IsEmpty());
}

TEST_F(SupervisorTest, ServersAreStartedAgainToo) {
  EXPECT_THAT(Exit(10, 0, {.code = 1}), ElementsAre("log 0", "say"));
  EXPECT_THAT(Tick(11), ElementsAre("start 0"));
}

TEST_F(SupervisorTest, BackoffDoublesUpToFiveSeconds) {
  double now = 0;
  for (const double wait : {0.2, 0.4, 0.8, 1.6, 3.2, 5.0, 5.0}) {
    Exit(now, 2, kKilled);
    EXPECT_THAT(Tick(now + wait - 0.01), IsEmpty()) << wait;
    EXPECT_THAT(Tick(now + wait), ElementsAre("start 2")) << wait;
    now += 100;
  }
}

TEST_F(SupervisorTest, AStepMakesDeathsForgotten) {
  for (int i = 0; i < 100; ++i) {
    EXPECT_THAT(Exit(100.0 * i, 2, kKilled), ElementsAre("log 2", "say"));
    EXPECT_THAT(Tick(100.0 * i + 0.2), ElementsAre("start 2"));
    supervisor_.OnStep(i + 1);
  }
}

TEST_F(SupervisorTest, GivesUpOnOneThatDiesWithoutProgress) {
  supervisor_.OnStep(7);
  for (int i = 1; i < Supervisor::kMaxDeaths; ++i) {
    Exit(100.0 * i, 1, {.code = 1});
    Tick(100.0 * i + 10);
    supervisor_.OnStep(7);  // the same step again is no progress
  }
  EXPECT_THAT(Exit(1000, 1, {.code = 1}),
              ElementsAre("log 1", "signal 0 15", "signal 2 15", "signal 3 15"));
  EXPECT_THAT(Tick(1009), IsEmpty());
  EXPECT_THAT(Tick(1010), ElementsAre("signal 0 9", "signal 2 9", "signal 3 9"));
  for (int process : {0, 2, 3}) EXPECT_THAT(Exit(1011, process, kKilled), IsEmpty());
  ASSERT_TRUE(supervisor_.outcome().has_value());
  EXPECT_EQ(supervisor_.outcome()->code, 1);
  EXPECT_THAT(supervisor_.outcome()->reason, HasSubstr("server 1 died 8 times"));
}

TEST_F(SupervisorTest, ExitsThatRepeatingCannotMendFailTheCluster) {
  for (int code : {2, 3, 4}) {
    Supervisor supervisor(1, 1);
    supervisor.Begin();
    EXPECT_THAT(Words(supervisor.OnExit(At(1), 1, {.code = code})),
                ElementsAre("log 1", "signal 0 15"));
    supervisor.OnExit(At(2), 0, kClean);
    ASSERT_TRUE(supervisor.outcome().has_value());
    EXPECT_EQ(supervisor.outcome()->code, code);
    EXPECT_THAT(supervisor.outcome()->reason, HasSubstr("worker 0 ended with exit code"));
  }
}

TEST_F(SupervisorTest, StopAsksServersOnly) {
  EXPECT_THAT(Words(supervisor_.OnStop(At(5))), ElementsAre("say", "signal 0 15", "signal 1 15"));
  for (int process : {2, 3, 0, 1}) EXPECT_THAT(Exit(6, process, kClean), IsEmpty());
  ASSERT_TRUE(supervisor_.outcome().has_value());
  EXPECT_EQ(supervisor_.outcome()->code, 0);
  EXPECT_EQ(supervisor_.outcome()->reason, "stopped");
}

TEST_F(SupervisorTest, StopCancelsRestarts) {
  Exit(5, 2, kKilled);
  supervisor_.OnStop(At(5.1));
  EXPECT_THAT(Tick(20), IsEmpty());
  for (int process : {0, 1, 3}) Exit(21, process, kClean);
  EXPECT_TRUE(supervisor_.outcome().has_value());
}

TEST_F(SupervisorTest, WorkersThatLingerAfterAStopAreAskedThenKilled) {
  supervisor_.OnStop(At(5));
  Exit(6, 0, kClean);
  Exit(6, 1, kClean);
  Exit(6, 2, kClean);
  EXPECT_THAT(Tick(6), IsEmpty());
  EXPECT_THAT(Tick(20), IsEmpty());
  EXPECT_THAT(Tick(21), ElementsAre("signal 3 15"));
  EXPECT_THAT(Tick(31), ElementsAre("signal 3 9"));
  Exit(31, 3, kKilled);
  EXPECT_EQ(supervisor_.outcome()->code, 0);
}

TEST_F(SupervisorTest, SecondStopKills) {
  supervisor_.OnStop(At(5));
  EXPECT_THAT(Words(supervisor_.OnStop(At(6))),
              ElementsAre("signal 0 9", "signal 1 9", "signal 2 9", "signal 3 9"));
  for (int process : {0, 1, 2, 3}) Exit(6, process, kKilled);
  EXPECT_EQ(supervisor_.outcome()->code, 1);
  EXPECT_THAT(supervisor_.outcome()->reason, HasSubstr("second signal"));
}

TEST_F(SupervisorTest, ServerThatDoesNotStopIsKilled) {
  supervisor_.OnStop(At(5));
  EXPECT_THAT(Tick(79), IsEmpty());
  EXPECT_THAT(Tick(80), ElementsAre("signal 0 9", "signal 1 9", "signal 2 9", "signal 3 9"));
  EXPECT_THAT(Exit(80, 0, kKilled), ElementsAre("log 0"));
  for (int process : {1, 2, 3}) Exit(80, process, kKilled);
  EXPECT_EQ(supervisor_.outcome()->code, 1);
  EXPECT_THAT(supervisor_.outcome()->reason, HasSubstr("server 0 ended with signal 9"));
}

TEST_F(SupervisorTest, NothingIsStartedAgainOnceAServerHasEndedWell) {
  Exit(10, 0, kClean);
  EXPECT_THAT(Exit(10, 3, kKilled), IsEmpty());
  EXPECT_THAT(Tick(24), IsEmpty());
  EXPECT_THAT(Tick(25), ElementsAre("signal 1 15", "signal 2 15"));
  Exit(26, 1, kClean);
  Exit(26, 2, kClean);
  EXPECT_EQ(supervisor_.outcome()->code, 0);
}

TEST_F(SupervisorTest, Names) {
  EXPECT_EQ(supervisor_.NameOf(1), "server 1");
  EXPECT_EQ(supervisor_.NameOf(2), "worker 0");
}

}  // namespace
}  // namespace tenor

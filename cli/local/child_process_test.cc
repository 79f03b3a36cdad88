#include "cli/local/child_process.h"

#include <poll.h>
#include <unistd.h>

#include <csignal>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/path.h"
#include "base/posix_file_system.h"
#include "base/status_testing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tenor {
namespace {

using testing::HasSubstr;

std::string LogPath() {
  return JoinPath(testing::TempDir(),
                  absl::StrCat(testing::UnitTest::GetInstance()->current_test_info()->name(), "-",
                               getpid(), ".log"));
}

absl::StatusOr<ChildProcess> StartShell(const std::string& script, sigset_t mask = {}) {
  return ChildProcess::Start({.program = "/bin/sh",
                              .arguments = {"-c", script},
                              .log_path = LogPath(),
                              .signal_mask = mask});
}

// Blocks until it has ended.
ProcessExit WaitFor(ChildProcess& child) {
  pollfd ended = {.fd = child.exit_descriptor(), .events = POLLIN, .revents = 0};
  while (!child.Poll()) poll(&ended, 1, -1);
  return *child.Poll();
}

TEST(ChildProcessTest, ReportsExitCodeAndWritesTheLog) {
  auto child = StartShell("echo to out; echo to err >&2; exit 3");
  ASSERT_THAT(child, IsOk());
  EXPECT_EQ(WaitFor(*child), ProcessExit{.code = 3});
  PosixFileSystem files;
  EXPECT_THAT(files.ReadFile(LogPath()), IsOkAndHolds(std::string("to out\nto err\n")));
}

TEST(ChildProcessTest, LogIsAppendedTo) {
  for (const char* word : {"first", "second"}) {
    auto child = StartShell(absl::StrCat("echo ", word));
    ASSERT_THAT(child, IsOk());
    EXPECT_EQ(WaitFor(*child), ProcessExit{});
  }
  PosixFileSystem files;
  EXPECT_THAT(files.ReadFile(LogPath()), IsOkAndHolds(std::string("first\nsecond\n")));
}

TEST(ChildProcessTest, SignalsReachIt) {
  auto child = StartShell("read nothing; kill -STOP $$");
  ASSERT_THAT(child, IsOk());
  child->Signal(SIGKILL);
  const ProcessExit exit = WaitFor(*child);
  EXPECT_EQ(exit, ProcessExit{.signal = SIGKILL});
  EXPECT_EQ(DescribeExit(exit), "signal 9 (Killed)");
  child->Signal(SIGKILL);  // nobody's any more
}

TEST(ChildProcessTest, HasTheMaskThatItIsGiven) {
  // Our own blocked signals, as a signal watcher leaves them, must not reach the program.
  sigset_t blocked;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGTERM);
  sigset_t before;
  pthread_sigmask(SIG_BLOCK, &blocked, &before);
  auto child = StartShell("kill -TERM $$; echo alive", before);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  ASSERT_THAT(child, IsOk());
  EXPECT_EQ(WaitFor(*child), ProcessExit{.signal = SIGTERM});
}

TEST(ChildProcessTest, IsKilledWithItsOwner) {
  int pid = 0;
  {
    auto child = StartShell("kill -STOP $$");
    ASSERT_THAT(child, IsOk());
    pid = child->pid();
    ChildProcess moved = *std::move(child);
    EXPECT_EQ(kill(pid, 0), 0);
  }
  EXPECT_NE(kill(pid, 0), 0);
}

TEST(ChildProcessTest, MissingProgramIsNamed) {
  EXPECT_THAT(ChildProcess::Start({.program = "/nowhere/tenor-server", .log_path = LogPath()}),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("/nowhere/tenor-server")));
}

TEST(ChildProcessTest, MissingLogFolderIsNamed) {
  EXPECT_THAT(ChildProcess::Start({.program = "/bin/sh", .log_path = "/nowhere/x.log"}),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("/nowhere/x.log")));
}

}  // namespace
}  // namespace tenor

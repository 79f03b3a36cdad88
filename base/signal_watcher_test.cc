#include "base/signal_watcher.h"

#include <pthread.h>
#include <unistd.h>

#include <csignal>
#include <vector>

#include "base/mutex.h"
#include "base/status_testing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tenor {
namespace {

using ::testing::ElementsAre;

class Received {
 public:
  void Add(int signal) {
    MutexLock lock(mu_);
    signals_.push_back(signal);
    arrived_.NotifyAll();
  }

  std::vector<int> WaitForCount(size_t count) {
    MutexLock lock(mu_);
    arrived_.Wait(mu_, [&]() TENOR_REQUIRES(mu_) { return signals_.size() >= count; });
    return signals_;
  }

 private:
  Mutex mu_;
  CondVar arrived_;
  std::vector<int> signals_ TENOR_GUARDED_BY(mu_);
};

TEST(SignalWatcherTest, CallsForEverySignal) {
  Received received;
  ASSERT_OK_AND_ASSIGN(const auto watcher,
                       SignalWatcher::Start([&](int signal) { received.Add(signal); }));
  ASSERT_EQ(kill(getpid(), SIGTERM), 0);
  EXPECT_THAT(received.WaitForCount(1), ElementsAre(SIGTERM));
  ASSERT_EQ(kill(getpid(), SIGINT), 0);
  EXPECT_THAT(received.WaitForCount(2), ElementsAre(SIGTERM, SIGINT));
  ASSERT_EQ(kill(getpid(), SIGTERM), 0);
  EXPECT_THAT(received.WaitForCount(3), ElementsAre(SIGTERM, SIGINT, SIGTERM));
}

TEST(SignalWatcherTest, ItsEndRestoresTheMask) {
  ASSERT_OK_AND_ASSIGN(auto watcher, SignalWatcher::Start([](int) {}));
  EXPECT_EQ(sigismember(&watcher->previous_mask(), SIGTERM), 0);
  sigset_t mask;
  ASSERT_EQ(pthread_sigmask(SIG_SETMASK, nullptr, &mask), 0);
  EXPECT_EQ(sigismember(&mask, SIGTERM), 1);
  watcher.reset();
  ASSERT_EQ(pthread_sigmask(SIG_SETMASK, nullptr, &mask), 0);
  EXPECT_EQ(sigismember(&mask, SIGTERM), 0);
  EXPECT_EQ(sigismember(&mask, SIGINT), 0);
}

}  // namespace
}  // namespace tenor

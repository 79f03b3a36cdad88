#include "base/mutex.h"

#include <thread>
#include <vector>

#include "absl/time/time.h"
#include "gtest/gtest.h"

namespace tenor {
namespace {

class Gate {
 public:
  void Open() {
    MutexLock lock(mu_);
    open_ = true;
    changed_.NotifyAll();
  }

  void Wait() {
    MutexLock lock(mu_);
    changed_.Wait(mu_, [this]() TENOR_REQUIRES(mu_) { return open_; });
  }

  bool WaitFor(absl::Duration timeout) {
    MutexLock lock(mu_);
    return changed_.WaitFor(mu_, timeout, [this]() TENOR_REQUIRES(mu_) { return open_; });
  }

 private:
  Mutex mu_;
  CondVar changed_;
  bool open_ TENOR_GUARDED_BY(mu_) = false;
};

class Counter {
 public:
  void Increment() {
    MutexLock lock(mu_);
    ++value_;
  }

  int Get() {
    MutexLock lock(mu_);
    return value_;
  }

 private:
  Mutex mu_;
  int value_ TENOR_GUARDED_BY(mu_) = 0;
};

TEST(MutexTest, ExcludesOtherThreads) {
  Counter counter;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&counter] {
        for (int i = 0; i < 1000; ++i) counter.Increment();
      });
    }
  }
  EXPECT_EQ(counter.Get(), 4000);
}

bool CanLock(Mutex& mu) {
  if (!mu.TryLock()) return false;
  mu.Unlock();
  return true;
}

TEST(MutexTest, TryLockFailsWhileHeldElsewhere) {
  Mutex mu;
  bool could_lock = true;
  {
    MutexLock lock(mu);
    std::thread([&] { could_lock = CanLock(mu); }).join();
  }
  EXPECT_FALSE(could_lock);
  EXPECT_TRUE(CanLock(mu));
}

TEST(CondVarTest, WaitReturnsWhenThePredicateHolds) {
  Gate gate;
  std::jthread opener([&gate] { gate.Open(); });
  gate.Wait();
  EXPECT_TRUE(gate.WaitFor(absl::ZeroDuration()));
}

TEST(CondVarTest, WaitForGivesUp) {
  Gate gate;
  EXPECT_FALSE(gate.WaitFor(absl::Milliseconds(1)));
  EXPECT_FALSE(gate.WaitFor(-absl::InfiniteDuration()));
}

TEST(CondVarTest, WaitForTakesAnInfiniteTimeout) {
  Gate gate;
  std::jthread opener([&gate] { gate.Open(); });
  EXPECT_TRUE(gate.WaitFor(absl::InfiniteDuration()));
}

TEST(CondVarTest, TheMutexIsHeldAfterwards) {
  Gate gate;
  EXPECT_FALSE(gate.WaitFor(absl::ZeroDuration()));
  // Would wait for ever if the wait had kept the mutex.
  gate.Open();
  EXPECT_TRUE(gate.WaitFor(absl::ZeroDuration()));
}

}  // namespace
}  // namespace tenor

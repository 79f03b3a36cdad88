#include "base/task_thread.h"

#include <future>
#include <vector>

#include "gtest/gtest.h"

namespace tenor {
namespace {

TEST(TaskThreadTest, RunsTasksInOrderOnOneThread) {
  TaskThread thread;
  std::vector<int> order;
  std::promise<void> done;
  for (int i = 0; i < 100; ++i) thread.Add([&order, i] { order.push_back(i); });
  thread.Add([&done] { done.set_value(); });
  done.get_future().wait();
  ASSERT_EQ(order.size(), 100u);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(order[i], i);
}

TEST(TaskThreadTest, StopDropsWhatWaitsAndWhatComesLater) {
  TaskThread thread;
  std::promise<void> entered;
  std::promise<void> release;
  int ran = 0;
  thread.Add([&] {
    entered.set_value();
    release.get_future().wait();
  });
  thread.Add([&ran] { ++ran; });
  entered.get_future().wait();
  std::thread stopper([&thread] { thread.Stop(); });
  release.set_value();
  stopper.join();
  thread.Add([&ran] { ++ran; });
  EXPECT_LE(ran, 1);
}

TEST(TaskThreadTest, ATaskMayAddTasks) {
  TaskThread thread;
  std::promise<int> result;
  thread.Add([&] { thread.Add([&result] { result.set_value(7); }); });
  EXPECT_EQ(result.get_future().get(), 7);
}

}  // namespace
}  // namespace tenor

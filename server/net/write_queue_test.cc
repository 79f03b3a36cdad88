#include "server/net/write_queue.h"

#include <atomic>
#include <optional>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace tenor {
namespace {

class Queue {
 public:
  explicit Queue(size_t limit) : queue_(limit) {}
  WriteAction Add(int item) { return queue_.Add(item, &full_); }
  bool full() const { return full_; }
  WriteQueue<int>& operator*() { return queue_; }

 private:
  WriteQueue<int> queue_;
  bool full_ = false;
};

TEST(WriteQueue, OneWriteAtATimeInOrder) {
  Queue queue(10);
  EXPECT_EQ(queue.Add(1), WriteAction::kWrite);
  EXPECT_EQ(queue.Add(2), WriteAction::kNothing);
  EXPECT_EQ((*queue).Front(), 1);
  EXPECT_EQ((*queue).WriteEnded(), std::make_pair(WriteAction::kWrite, 1));
  EXPECT_EQ((*queue).Front(), 2);
  EXPECT_EQ((*queue).WriteEnded(), std::make_pair(WriteAction::kNothing, 2));
  EXPECT_EQ(queue.Add(3), WriteAction::kWrite);
}

TEST(WriteQueue, ASlowReaderIsBounded) {
  Queue queue(2);
  queue.Add(1);
  queue.Add(2);
  EXPECT_FALSE(queue.full());
  EXPECT_EQ(queue.Add(3), WriteAction::kNothing);
  EXPECT_TRUE(queue.full());
}

TEST(WriteQueue, FinishesOnceAndNeverBesideAWrite) {
  Queue idle(10);
  EXPECT_EQ((*idle).Close(false), WriteAction::kFinish);
  EXPECT_EQ((*idle).Close(false), WriteAction::kNothing);
  EXPECT_EQ(idle.Add(1), WriteAction::kNothing);

  Queue busy(10);
  busy.Add(1);
  busy.Add(2);
  EXPECT_EQ((*busy).Close(false), WriteAction::kNothing);
  EXPECT_EQ((*busy).WriteEnded().first, WriteAction::kFinish);
  EXPECT_EQ((*busy).TakeRest(), (std::deque<int>{2}));
}

TEST(WriteQueue, DrainsWhenAsked) {
  Queue queue(10);
  queue.Add(1);
  queue.Add(2);
  EXPECT_EQ((*queue).Close(true), WriteAction::kNothing);
  EXPECT_EQ((*queue).WriteEnded().first, WriteAction::kWrite);
  EXPECT_EQ((*queue).WriteEnded().first, WriteAction::kFinish);
}

// Four threads add, whoever is told to write writes, one closes: each item is written at most once,
// in order per thread, and the end comes once, after the last write.
TEST(WriteQueue, ManyThreads) {
  WriteQueue<int> queue(1000000);
  std::atomic<int> writing = 0;
  std::atomic<int> finished = 0;
  std::vector<int> written;
  const auto carry_out = [&](WriteAction action) {
    while (action == WriteAction::kWrite) {
      EXPECT_EQ(writing.fetch_add(1), 0);
      EXPECT_EQ(finished.load(), 0);
      written.push_back(queue.Front());
      writing.fetch_sub(1);
      action = queue.WriteEnded().first;
    }
    if (action == WriteAction::kFinish) finished.fetch_add(1);
  };
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 1000; ++i) {
        bool full = false;
        carry_out(queue.Add(t * 1000 + i, &full));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  carry_out(queue.Close(false));
  EXPECT_EQ(finished.load(), 1);
  EXPECT_EQ(written.size(), 4000u);
  std::vector<int> newest(4, -1);
  for (int item : written) {
    EXPECT_LT(newest[item / 1000], item % 1000);
    newest[item / 1000] = item % 1000;
  }
}

}  // namespace
}  // namespace tenor

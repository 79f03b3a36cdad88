#include "ops/thread_pool.h"

#include <gtest/gtest.h>

#include <mutex>
#include <utility>
#include <vector>

namespace tenor {
namespace {

TEST(ThreadPool, CoversEveryRangeOnceWhateverItsSize) {
  for (const int threads : {1, 2, 3, 8}) {
    ThreadPool pool(threads);
    for (const int64_t size : {0, 1, 2, 7, 8, 9, 100}) {
      for (const int64_t grain : {1, 3, 8, 1000}) {
        std::vector<int> visits(size + 5, 0);
        pool.ParallelFor(5, 5 + size, grain, [&](int64_t begin, int64_t end) {
          EXPECT_EQ((begin - 5) % grain, 0);
          for (int64_t i = begin; i < end; ++i) ++visits[i];
        });
        for (int64_t i = 0; i < size + 5; ++i) ASSERT_EQ(visits[i], i < 5 ? 0 : 1);
      }
    }
  }
}

TEST(ThreadPool, LoopsFollowEachOtherInOrder) {
  ThreadPool pool(4);
  std::vector<int64_t> sums(64, 0);
  for (int64_t round = 0; round < 2000; ++round) {
    // Each element reads its neighbour of the round before: a loop that overtook another would
    // show.
    std::vector<int64_t> next(64);
    pool.ParallelFor(0, 64, 4, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) next[i] = sums[(i + 1) % 64] + 1;
    });
    sums.swap(next);
  }
  for (const int64_t sum : sums) EXPECT_EQ(sum, 2000);
}

TEST(ThreadPool, UsesAtMostOnePieceAThread) {
  ThreadPool pool(3);
  std::mutex mutex;
  std::vector<std::pair<int64_t, int64_t>> pieces;
  pool.ParallelFor(0, 100, 1, [&](int64_t begin, int64_t end) {
    const std::lock_guard<std::mutex> lock(mutex);
    pieces.emplace_back(begin, end);
  });
  EXPECT_EQ(pieces.size(), 3u);
}

}  // namespace
}  // namespace tenor

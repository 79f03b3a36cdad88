#include "ops/thread_pool.h"

#include <algorithm>

#include "base/check.h"

namespace tenor {
namespace {

// About 20 microseconds: longer than the gap between two loops of a step, far shorter than a step.
constexpr int kSpins = 1000;

// Returns once value.load() != old.
template <typename T>
void AwaitChange(const std::atomic<T>& value, T old) {
  for (int i = 0; i < kSpins; ++i) {
    if (value.load(std::memory_order_acquire) != old) return;
    __builtin_ia32_pause();
  }
  value.wait(old, std::memory_order_acquire);
}

}  // namespace

ThreadPool::ThreadPool(int threads) : threads_(threads) {
  CHECK_GE(threads, 1);
  for (int i = 1; i < threads; ++i) workers_.emplace_back([this, i] { Work(i); });
}

ThreadPool::~ThreadPool() {
  stop_.store(true, std::memory_order_relaxed);
  loop_number_.fetch_add(1, std::memory_order_release);
  loop_number_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void ThreadPool::Run(Loop loop, int64_t grain) {
  CHECK_GE(grain, 1);
  if (loop.end <= loop.begin) return;
  const int64_t grains = (loop.end - loop.begin + grain - 1) / grain;
  const int64_t grains_a_piece = (grains + threads_ - 1) / threads_;
  loop.step = grains_a_piece * grain;
  loop.pieces = static_cast<int>((grains + grains_a_piece - 1) / grains_a_piece);
  if (loop.pieces == 1) return RunPiece(loop, 0);
  loop_ = loop;
  pending_.store(threads_ - 1, std::memory_order_relaxed);
  loop_number_.fetch_add(1, std::memory_order_release);
  loop_number_.notify_all();
  RunPiece(loop, 0);
  for (int32_t left = pending_.load(std::memory_order_acquire); left != 0;
       left = pending_.load(std::memory_order_acquire)) {
    AwaitChange(pending_, left);
  }
}

void ThreadPool::Work(int index) {
  for (uint32_t seen = 0;; ++seen) {
    AwaitChange(loop_number_, seen);
    if (stop_.load(std::memory_order_relaxed)) return;
    if (index < loop_.pieces) RunPiece(loop_, index);
    if (pending_.fetch_sub(1, std::memory_order_release) == 1) pending_.notify_one();
  }
}

void ThreadPool::RunPiece(const Loop& loop, int piece) {
  const int64_t begin = loop.begin + piece * loop.step;
  loop.call(loop.body, begin, std::min(loop.end, begin + loop.step));
}

}  // namespace tenor

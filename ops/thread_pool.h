// A fixed set of threads for loops over elements.
#ifndef TENOR_OPS_THREAD_POOL_H_
#define TENOR_OPS_THREAD_POOL_H_

#include <atomic>
#include <cstdint>
#include <thread>
#include <type_traits>
#include <vector>

namespace tenor {

// The caller counts as one of the threads, so a pool of one starts none. A thread that waits spins
// for some microseconds before it sleeps: the loops of one training step follow closely.
//
// Thread-compatible: one ParallelFor at a time; a body must not call ParallelFor of the same pool.
class ThreadPool {
 public:
  // REQUIRES: threads >= 1.
  explicit ThreadPool(int threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int threads() const { return threads_; }

  // Calls body(int64_t begin, int64_t end) on disjoint ranges that cover [begin, end), at most one
  // a thread, and returns when all have returned. Ranges start at begin + multiples of `grain` and
  // depend on (begin, end, grain, threads) alone. Does not allocate. REQUIRES: grain >= 1.
  template <typename Body>
  void ParallelFor(int64_t begin, int64_t end, int64_t grain, Body&& body) {
    using Function = std::remove_reference_t<Body>;
    Run({.call = [](const void* f, int64_t b,
                    int64_t e) { (*static_cast<Function*>(const_cast<void*>(f)))(b, e); },
         .body = &body,
         .begin = begin,
         .end = end},
        grain);
  }

 private:
  // Piece i covers [begin + i * step, begin + (i + 1) * step), cut at end.
  struct Loop {
    void (*call)(const void* body, int64_t begin, int64_t end) = nullptr;
    const void* body = nullptr;
    int64_t begin = 0;
    int64_t end = 0;
    int64_t step = 0;
    int pieces = 0;
  };

  void Run(Loop loop, int64_t grain);
  void Work(int index);
  static void RunPiece(const Loop& loop, int piece);

  const int threads_;
  // Written by the caller between loops; a worker reads it after it saw loop_number_ change.
  Loop loop_;
  std::atomic<uint32_t> loop_number_{0};
  std::atomic<int32_t> pending_{0};  // Workers that have not finished this loop.
  std::atomic<bool> stop_{false};
  std::vector<std::thread> workers_;  // Constant after construction.
};

}  // namespace tenor

#endif  // TENOR_OPS_THREAD_POOL_H_

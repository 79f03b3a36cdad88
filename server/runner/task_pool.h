#ifndef TENOR_SERVER_RUNNER_TASK_POOL_H_
#define TENOR_SERVER_RUNNER_TASK_POOL_H_

#include <deque>
#include <functional>
#include <thread>
#include <vector>

#include "base/mutex.h"

namespace tenor {

// Threads that take tasks from one queue, in the order of posting; with one thread they run one
// after the other. Thread-safe.
class TaskPool {
 public:
  using Task = std::function<void()>;

  // REQUIRES: threads >= 1.
  explicit TaskPool(int threads);
  // Runs what is queued, then ends.
  ~TaskPool();
  TaskPool(const TaskPool&) = delete;
  TaskPool& operator=(const TaskPool&) = delete;

  void Post(Task task);

  // Runs what is queued and returns when all threads have ended; later posts are dropped.
  void Stop();

 private:
  void Work();

  Mutex mu_;
  CondVar changed_;
  std::deque<Task> tasks_ TENOR_GUARDED_BY(mu_);
  bool stopped_ TENOR_GUARDED_BY(mu_) = false;
  std::vector<std::thread> threads_;  // constant after construction until Stop
};

}  // namespace tenor

#endif  // TENOR_SERVER_RUNNER_TASK_POOL_H_

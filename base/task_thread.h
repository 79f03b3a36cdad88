#ifndef TENOR_BASE_TASK_THREAD_H_
#define TENOR_BASE_TASK_THREAD_H_

#include <deque>
#include <functional>
#include <optional>
#include <thread>

#include "base/mutex.h"

namespace tenor {

// One thread that runs tasks in the order in which they were added. Thread-safe; a task may add
// tasks. The queue is unbounded: who adds bounds what is in flight.
class TaskThread {
 public:
  TaskThread();
  // Stop().
  ~TaskThread();
  TaskThread(const TaskThread&) = delete;
  TaskThread& operator=(const TaskThread&) = delete;

  // Dropped after Stop.
  void Add(std::function<void()> task) TENOR_EXCLUDES(mu_);

  // Waits for the running task, drops those that wait. REQUIRES: not called from a task.
  void Stop() TENOR_EXCLUDES(mu_);

 private:
  void Run();
  std::optional<std::function<void()>> Next() TENOR_EXCLUDES(mu_);

  Mutex mu_;
  CondVar changed_;
  std::deque<std::function<void()>> tasks_ TENOR_GUARDED_BY(mu_);
  bool stopped_ TENOR_GUARDED_BY(mu_) = false;
  std::thread thread_;  // last: it runs as soon as it is made
};

}  // namespace tenor

#endif  // TENOR_BASE_TASK_THREAD_H_

#include "server/runner/task_pool.h"

#include <utility>

#include "base/check.h"

namespace tenor {

TaskPool::TaskPool(int threads) {
  CHECK_GE(threads, 1);
  for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { Work(); });
}

TaskPool::~TaskPool() { Stop(); }

void TaskPool::Post(Task task) {
  {
    MutexLock lock(mu_);
    if (stopped_) return;
    tasks_.push_back(std::move(task));
  }
  changed_.NotifyOne();
}

void TaskPool::Stop() {
  {
    MutexLock lock(mu_);
    stopped_ = true;
  }
  changed_.NotifyAll();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

void TaskPool::Work() {
  while (true) {
    Task task;
    {
      MutexLock lock(mu_);
      changed_.Wait(mu_, [this]() TENOR_REQUIRES(mu_) { return stopped_ || !tasks_.empty(); });
      if (tasks_.empty()) return;
      task = std::move(tasks_.front());
      tasks_.pop_front();
    }
    task();
  }
}

}  // namespace tenor

#include "base/task_thread.h"

#include <utility>

namespace tenor {

TaskThread::TaskThread() : thread_([this] { Run(); }) {}

TaskThread::~TaskThread() { Stop(); }

void TaskThread::Add(std::function<void()> task) {
  MutexLock lock(mu_);
  if (stopped_) return;
  tasks_.push_back(std::move(task));
  changed_.NotifyOne();
}

void TaskThread::Stop() {
  {
    MutexLock lock(mu_);
    stopped_ = true;
    tasks_.clear();
    changed_.NotifyOne();
  }
  if (thread_.joinable()) thread_.join();
}

void TaskThread::Run() {
  while (std::optional<std::function<void()>> task = Next()) (*task)();
}

std::optional<std::function<void()>> TaskThread::Next() {
  MutexLock lock(mu_);
  changed_.Wait(mu_, [this]() TENOR_REQUIRES(mu_) { return stopped_ || !tasks_.empty(); });
  if (stopped_) return std::nullopt;
  std::function<void()> task = std::move(tasks_.front());
  tasks_.pop_front();
  return task;
}

}  // namespace tenor

#include "server/runner/event_loop.h"

#include <utility>

namespace tenor {

EventLoop::EventLoop(const Clock& clock, absl::Duration period) : clock_(clock), period_(period) {}

EventLoop::~EventLoop() { Stop(); }

void EventLoop::Start(Task on_tick) {
  thread_ = std::thread([this, on_tick = std::move(on_tick)] { Run(on_tick); });
}

void EventLoop::Post(Task task) {
  {
    MutexLock lock(mu_);
    if (stopped_) return;
    tasks_.push_back(std::move(task));
  }
  changed_.NotifyOne();
}

void EventLoop::Stop() {
  std::deque<Task> dropped;
  {
    MutexLock lock(mu_);
    stopped_ = true;
    dropped.swap(tasks_);
  }
  changed_.NotifyOne();
  if (thread_.joinable()) thread_.join();
}

absl::Duration EventLoop::last_tick() const {
  MutexLock lock(mu_);
  return last_tick_;
}

bool EventLoop::Next(absl::Duration next_tick, std::deque<Task>* tasks) {
  const absl::Duration wait = next_tick - clock_.Now();
  MutexLock lock(mu_);
  changed_.WaitFor(mu_, wait, [this]() TENOR_REQUIRES(mu_) { return stopped_ || !tasks_.empty(); });
  tasks->swap(tasks_);
  return !stopped_;
}

void EventLoop::Run(const Task& on_tick) {
  absl::Duration next_tick = clock_.Now();
  std::deque<Task> tasks;
  while (Next(next_tick, &tasks)) {
    while (true) {
      if (const absl::Duration now = clock_.Now(); now >= next_tick) {
        next_tick = now + period_;
        {
          MutexLock lock(mu_);
          last_tick_ = now;
        }
        on_tick();
      }
      if (tasks.empty()) break;
      tasks.front()();
      tasks.pop_front();
    }
  }
}

}  // namespace tenor

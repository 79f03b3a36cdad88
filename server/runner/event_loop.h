#ifndef TENOR_SERVER_RUNNER_EVENT_LOOP_H_
#define TENOR_SERVER_RUNNER_EVENT_LOOP_H_

#include <deque>
#include <functional>
#include <thread>

#include "absl/time/time.h"
#include "base/clock.h"
#include "base/mutex.h"

namespace tenor {

// One thread that owns a state machine: it runs what others post, in the order of posting, and a
// tick at a fixed period, also while it is flooded. Nothing that runs on it may block.
//
// Thread-safe. Start once; Stop returns when the thread has ended, what is still queued is dropped.
class EventLoop {
 public:
  using Task = std::function<void()>;

  // `clock` is borrowed and outlives the loop.
  EventLoop(const Clock& clock, absl::Duration period);
  ~EventLoop();
  EventLoop(const EventLoop&) = delete;
  EventLoop& operator=(const EventLoop&) = delete;

  void Start(Task on_tick);
  // Dropped after Stop.
  void Post(Task task);
  // Not from the loop's own thread.
  void Stop();

  // When the last tick began, as the clock's Now(): a process whose loop turns is healthy.
  absl::Duration last_tick() const;

 private:
  void Run(const Task& on_tick);
  // Waits for something to do; false when the loop is to end.
  bool Next(absl::Duration next_tick, std::deque<Task>* tasks);

  const Clock& clock_;
  const absl::Duration period_;
  mutable Mutex mu_;
  CondVar changed_;
  std::deque<Task> tasks_ TENOR_GUARDED_BY(mu_);
  bool stopped_ TENOR_GUARDED_BY(mu_) = false;
  absl::Duration last_tick_ TENOR_GUARDED_BY(mu_);
  std::thread thread_;
};

}  // namespace tenor

#endif  // TENOR_SERVER_RUNNER_EVENT_LOOP_H_

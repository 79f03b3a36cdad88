#ifndef TENOR_BASE_SIGNAL_WATCHER_H_
#define TENOR_BASE_SIGNAL_WATCHER_H_

#include <csignal>
#include <functional>
#include <memory>
#include <thread>

#include "absl/status/statusor.h"
#include "base/file_descriptor.h"

namespace tenor {

// Turns SIGTERM and SIGINT into calls on a thread of its own, where anything may be done. One a
// process, started in main before any other thread: threads inherit the mask that it sets, and so
// do programs that are started, which have to set it back.
class SignalWatcher {
 public:
  // on_signal(signal number) is called once for each arrival; arrivals of one signal while a call
  // runs may count as one. Errors are the kernel's.
  static absl::StatusOr<std::unique_ptr<SignalWatcher>> Start(std::function<void(int)> on_signal);

  // Waits for a call that runs; the signals act as before.
  ~SignalWatcher();
  SignalWatcher(const SignalWatcher&) = delete;
  SignalWatcher& operator=(const SignalWatcher&) = delete;

  // What was blocked before Start: for programs that are started.
  const sigset_t& previous_mask() const { return previous_mask_; }

 private:
  SignalWatcher(const sigset_t& previous_mask, FileDescriptor signals, FileDescriptor stop,
                std::function<void(int)> on_signal);

  void Watch();

  const sigset_t previous_mask_;
  const FileDescriptor signals_;
  const FileDescriptor stop_;
  const std::function<void(int)> on_signal_;
  std::jthread thread_;
};

}  // namespace tenor

#endif  // TENOR_BASE_SIGNAL_WATCHER_H_

#include "base/signal_watcher.h"

#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "base/check.h"
#include "base/errno_status.h"
#include "base/file_descriptor.h"
#include "base/thread.h"

namespace tenor {

absl::StatusOr<std::unique_ptr<SignalWatcher>> SignalWatcher::Start(
    std::function<void(int)> on_signal) {
  sigset_t watched;
  sigemptyset(&watched);
  sigaddset(&watched, SIGTERM);
  sigaddset(&watched, SIGINT);
  FileDescriptor signals(signalfd(-1, &watched, SFD_CLOEXEC | SFD_NONBLOCK));
  if (!signals.valid()) return ErrnoStatus(errno, "watch", "signals");
  FileDescriptor stop(eventfd(0, EFD_CLOEXEC));
  if (!stop.valid()) return ErrnoStatus(errno, "watch", "signals");
  sigset_t previous_mask;
  const int error_number = pthread_sigmask(SIG_BLOCK, &watched, &previous_mask);
  if (error_number != 0) return ErrnoStatus(error_number, "block", "signals");
  return std::unique_ptr<SignalWatcher>(
      new SignalWatcher(previous_mask, std::move(signals), std::move(stop), std::move(on_signal)));
}

SignalWatcher::SignalWatcher(const sigset_t& previous_mask, FileDescriptor signals,
                             FileDescriptor stop, std::function<void(int)> on_signal)
    : previous_mask_(previous_mask),
      signals_(std::move(signals)),
      stop_(std::move(stop)),
      on_signal_(std::move(on_signal)),
      thread_(StartThread("signals", [this] { Watch(); })) {}

SignalWatcher::~SignalWatcher() {
  const uint64_t one = 1;
  CHECK_EQ(write(stop_.get(), &one, sizeof(one)), ssize_t{sizeof(one)});
  thread_.join();
  pthread_sigmask(SIG_SETMASK, &previous_mask_, nullptr);
}

void SignalWatcher::Watch() {
  pollfd ready[2] = {{.fd = signals_.get(), .events = POLLIN},
                     {.fd = stop_.get(), .events = POLLIN}};
  while (true) {
    if (poll(ready, 2, -1) < 0) continue;
    if (ready[1].revents != 0) return;
    signalfd_siginfo info;
    if (read(signals_.get(), &info, sizeof(info)) == ssize_t{sizeof(info)}) {
      on_signal_(static_cast<int>(info.ssi_signo));
    }
  }
}

}  // namespace tenor

#include "tests/process/wait.h"

#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <chrono>

#include "absl/time/time.h"
#include "base/check.h"

namespace tenor {
namespace {

constexpr int kLongestPauseMs = 20;

}  // namespace

FolderWatch::FolderWatch() : changes_(inotify_init1(IN_CLOEXEC | IN_NONBLOCK)) {
  CHECK(changes_.valid()) << "no inotify";
}

void FolderWatch::Add(const std::string& folder) {
  const uint32_t changes = IN_MODIFY | IN_CREATE | IN_MOVED_TO | IN_CLOSE_WRITE;
  CHECK(inotify_add_watch(changes_.get(), folder.c_str(), changes) >= 0) << folder;
}

bool FolderWatch::WaitUntil(const std::function<bool()>& holds, absl::Duration limit) {
  const absl::Duration end = MonotonicNow() + limit;
  while (!holds()) {
    if (MonotonicNow() > end) return false;
    pollfd waiting = {.fd = changes_.get(), .events = POLLIN, .revents = 0};
    if (poll(&waiting, 1, kLongestPauseMs) <= 0) continue;
    char drained[4096];
    while (read(changes_.get(), drained, sizeof(drained)) > 0) {
    }
  }
  return true;
}

absl::Duration MonotonicNow() {
  return absl::FromChrono(std::chrono::steady_clock::now().time_since_epoch());
}

}  // namespace tenor

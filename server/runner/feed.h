#ifndef TENOR_SERVER_RUNNER_FEED_H_
#define TENOR_SERVER_RUNNER_FEED_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <utility>

#include "base/mutex.h"

namespace tenor {

// Items for whoever follows; keeps the newest kKept for those who come later. Thread-safe.
template <typename Item>
class Feed {
 public:
  static constexpr size_t kKept = 4096;
  // Must neither block nor call back into the feed.
  using Follower = std::function<void(const Item&)>;

  void Publish(Item item) {
    MutexLock lock(mu_);
    for (const auto& [number, follower] : followers_) follower(item);
    kept_.push_back(std::move(item));
    if (kept_.size() > kKept) kept_.pop_front();
  }

  // Calls `follower` with what is kept, if `from_start`, then with every new item, until Unfollow
  // has returned.
  uint64_t Follow(bool from_start, Follower follower) {
    MutexLock lock(mu_);
    if (from_start) {
      for (const Item& item : kept_) follower(item);
    }
    followers_.emplace(++next_, std::move(follower));
    return next_;
  }

  void Unfollow(uint64_t number) {
    MutexLock lock(mu_);
    followers_.erase(number);
  }

 private:
  Mutex mu_;
  std::deque<Item> kept_ TENOR_GUARDED_BY(mu_);
  uint64_t next_ TENOR_GUARDED_BY(mu_) = 0;
  std::map<uint64_t, Follower> followers_ TENOR_GUARDED_BY(mu_);
};

}  // namespace tenor

#endif  // TENOR_SERVER_RUNNER_FEED_H_

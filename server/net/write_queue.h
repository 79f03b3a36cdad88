#ifndef TENOR_SERVER_NET_WRITE_QUEUE_H_
#define TENOR_SERVER_NET_WRITE_QUEUE_H_

#include <cstddef>
#include <deque>
#include <utility>

#include "base/check.h"
#include "base/mutex.h"

namespace tenor {

// What a stream's owner has to do next; exactly one caller is told each time.
enum class WriteAction {
  kNothing,
  kWrite,   // write Front()
  kFinish,  // end the stream; nothing is written after it
};

// The outgoing messages of one stream whose transport writes one at a time and must not be told to
// write once it was told to finish. Knows no transport. Calls to the transport are made by the
// owner, outside any lock, as the returned action says. Thread-safe.
template <typename Item>
class WriteQueue {
 public:
  // A reader that is `limit` messages behind has lost its stream.
  explicit WriteQueue(size_t limit) : limit_(limit) {}

  // `*full`: the item was dropped because the limit is reached. After Close it is dropped too.
  WriteAction Add(Item item, bool* full) {
    MutexLock lock(mu_);
    *full = false;
    if (closed_) return WriteAction::kNothing;
    if (items_.size() >= limit_) {
      *full = true;
      return WriteAction::kNothing;
    }
    items_.push_back(std::move(item));
    if (writing_) return WriteAction::kNothing;
    writing_ = true;
    return WriteAction::kWrite;
  }

  // REQUIRES: a kWrite is due or in flight.
  Item& Front() {
    MutexLock lock(mu_);
    CHECK(!items_.empty());
    return items_.front();
  }

  // The write of Front() ended; it is removed and returned.
  std::pair<WriteAction, Item> WriteEnded() {
    MutexLock lock(mu_);
    CHECK(writing_ && !items_.empty());
    Item ended = std::move(items_.front());
    items_.pop_front();
    if (!items_.empty() && (!closed_ || drain_)) return {WriteAction::kWrite, std::move(ended)};
    writing_ = false;
    return {FinishOnce(), std::move(ended)};
  }

  // Takes no more items; those that wait are still written if `drain`.
  WriteAction Close(bool drain) {
    MutexLock lock(mu_);
    closed_ = true;
    drain_ = drain;
    if (writing_) return WriteAction::kNothing;
    return FinishOnce();
  }

  // What was never written. REQUIRES: after kFinish.
  std::deque<Item> TakeRest() {
    MutexLock lock(mu_);
    return std::exchange(items_, {});
  }

 private:
  WriteAction FinishOnce() TENOR_REQUIRES(mu_) {
    if (!closed_ || finished_) return WriteAction::kNothing;
    finished_ = true;
    return WriteAction::kFinish;
  }

  const size_t limit_;
  Mutex mu_;
  std::deque<Item> items_ TENOR_GUARDED_BY(mu_);
  bool writing_ TENOR_GUARDED_BY(mu_) = false;
  bool closed_ TENOR_GUARDED_BY(mu_) = false;
  bool drain_ TENOR_GUARDED_BY(mu_) = false;
  bool finished_ TENOR_GUARDED_BY(mu_) = false;
};

}  // namespace tenor

#endif  // TENOR_SERVER_NET_WRITE_QUEUE_H_

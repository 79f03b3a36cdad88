#ifndef TENOR_SERVER_RUNNER_STREAM_TABLE_H_
#define TENOR_SERVER_RUNNER_STREAM_TABLE_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "base/mutex.h"

namespace tenor {

// Attached streams of one kind, by number, each with the function that sends on it. After Remove
// has returned, the function is not called any more. Thread-safe.
template <typename Send>
class StreamTable {
 public:
  void Add(uint64_t number, std::string peer, Send send) {
    MutexLock lock(mu_);
    streams_[number] = std::make_shared<Stream>(std::move(peer), std::move(send));
  }

  // Whether it was there.
  bool Remove(uint64_t number) {
    std::shared_ptr<Stream> removed;
    {
      MutexLock lock(mu_);
      const auto found = streams_.find(number);
      if (found == streams_.end()) return false;
      removed = std::move(found->second);
      streams_.erase(found);
    }
    MutexLock lock(removed->mu);
    removed->open = false;
    return true;
  }

  // Calls use(send, peer) unless the stream is removed; whether it did.
  template <typename Use>
  bool With(uint64_t number, Use use) {
    const std::shared_ptr<Stream> stream = Find(number);
    if (stream == nullptr) return false;
    MutexLock lock(stream->mu);
    if (!stream->open) return false;
    use(stream->send, stream->peer);
    return true;
  }

  // Empty for one that is removed.
  std::string Peer(uint64_t number) {
    const std::shared_ptr<Stream> stream = Find(number);
    return stream == nullptr ? std::string() : stream->peer;
  }

 private:
  struct Stream {
    Stream(std::string peer_address, Send send_function)
        : peer(std::move(peer_address)), send(std::move(send_function)) {}
    const std::string peer;
    Mutex mu;
    const Send send;
    bool open TENOR_GUARDED_BY(mu) = true;
  };

  std::shared_ptr<Stream> Find(uint64_t number) {
    MutexLock lock(mu_);
    const auto found = streams_.find(number);
    return found == streams_.end() ? nullptr : found->second;
  }

  Mutex mu_;
  std::map<uint64_t, std::shared_ptr<Stream>> streams_ TENOR_GUARDED_BY(mu_);
};

}  // namespace tenor

#endif  // TENOR_SERVER_RUNNER_STREAM_TABLE_H_

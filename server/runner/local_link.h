#ifndef TENOR_SERVER_RUNNER_LOCAL_LINK_H_
#define TENOR_SERVER_RUNNER_LOCAL_LINK_H_

#include "base/mutex.h"
#include "server/runner/coordinator_link.h"
#include "server/runner/services.h"

namespace tenor {

// The control stream of server 0's shard to the coordinator of the same process: the path of every
// other shard, without a wire. Thread-safe.
class LocalLink : public CoordinatorLink {
 public:
  // Borrowed; outlives the link.
  explicit LocalLink(CoordinatorService& coordinator) : coordinator_(coordinator) {}

  void Start(CoordinatorLinkObserver* observer) override {
    MutexLock lock(mu_);
    stream_ =
        coordinator_.AttachShard("this process", [this, observer](const CoordinatorToShard& order) {
          observer->OnOrder(ShardEnd(), order);
        });
    shard_end_ = observer->OnConnected();
  }
  void Find() override {}
  void Send(shard::ConnectionId, const Status& status) override {
    coordinator_.Receive(CoordinatorEnd(), status);
  }
  void Stop() override {
    const ConnectionId stream = CoordinatorEnd();
    if (stream != ConnectionId()) coordinator_.Detach(stream);
  }

 private:
  shard::ConnectionId ShardEnd() {
    MutexLock lock(mu_);
    return shard_end_;
  }
  ConnectionId CoordinatorEnd() {
    MutexLock lock(mu_);
    return stream_;
  }

  CoordinatorService& coordinator_;
  Mutex mu_;
  // One stream, as each end numbers it.
  shard::ConnectionId shard_end_ TENOR_GUARDED_BY(mu_);
  ConnectionId stream_ TENOR_GUARDED_BY(mu_);
};

}  // namespace tenor

#endif  // TENOR_SERVER_RUNNER_LOCAL_LINK_H_

#include "worker/local/local_client.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/mutex.h"
#include "base/task_thread.h"

namespace tenor {
namespace {

class LocalClient : public PsClient {
 public:
  LocalClient(LocalServers servers, std::string peer)
      : servers_(std::move(servers)), peer_(std::move(peer)), shards_(servers_.shards.size()) {}
  ~LocalClient() override { Stop(); }

  absl::StatusOr<spec::JobSpec> GetJob(absl::Duration) override {
    return servers_.coordinator->job();
  }

  void Start(PsClientObserver* observer) override {
    MutexLock lock(mu_);
    observer_ = observer;
    coordinator_ = servers_.coordinator->AttachWorker(
        peer_, [this, observer](const CoordinatorToWorker& message) {
          calls_.Add([observer, message] { observer->OnCoordinatorMessage(message); });
        });
    calls_.Add([observer] { observer->OnCoordinatorConnected(); });
  }

  // It can be nowhere else.
  void FindCoordinator() override {}

  void ConnectShards(const std::vector<ShardAddress>& addresses) override {
    MutexLock lock(mu_);
    addresses_.resize(shards_.size());
    const size_t count = std::min(addresses.size(), shards_.size());
    for (size_t k = 0; k < count; ++k) {
      if (shards_[k] && addresses_[k] == addresses[k]) continue;
      addresses_[k] = addresses[k];
      if (shards_[k]) servers_.shards[k]->Detach(*shards_[k]);
      AttachShard(static_cast<int>(k));
    }
  }

  void SendToCoordinator(const WorkerMessage& message) override {
    MutexLock lock(mu_);
    if (coordinator_) servers_.coordinator->Receive(*coordinator_, message);
  }

  void SendToShard(int shard, const WorkerToShard& message, Payload payload) override {
    MutexLock lock(mu_);
    if (shards_[shard]) servers_.shards[shard]->Receive(*shards_[shard], message, payload);
  }

  void Stop() override {
    std::optional<ConnectionId> coordinator;
    std::vector<std::optional<ConnectionId>> shards(shards_.size());
    {
      MutexLock lock(mu_);
      std::swap(coordinator, coordinator_);
      std::swap(shards, shards_);
    }
    if (coordinator) servers_.coordinator->Detach(*coordinator);
    for (size_t k = 0; k < shards.size(); ++k) {
      if (shards[k]) servers_.shards[k]->Detach(*shards[k]);
    }
    calls_.Stop();
  }

 private:
  // The servers ended the stream; a worker opens it again.
  void Reattach(int shard) {
    MutexLock lock(mu_);
    if (!shards_[shard]) return;
    servers_.shards[shard]->Detach(*shards_[shard]);
    PsClientObserver* observer = observer_;
    calls_.Add([observer, shard] {
      observer->OnShardLost(shard, absl::UnavailableError("the server ended the stream"));
    });
    AttachShard(shard);
  }

  void AttachShard(int shard) TENOR_REQUIRES(mu_) {
    ShardService* service = servers_.shards[shard];
    PsClientObserver* observer = observer_;
    auto connection = std::make_shared<ConnectionId>();
    auto send = [this, service, observer, shard, connection](const ShardToWorker& message,
                                                             Payload payload) {
      calls_.Add([service, observer, shard, connection, message, payload = std::move(payload)] {
        observer->OnShardMessage(shard, message, payload);
        if (const Chunk* chunk = std::get_if<Chunk>(&message)) {
          service->SendDone(*connection, *chunk);
        }
      });
    };
    auto cancel = [this, shard] { calls_.Add([this, shard] { Reattach(shard); }); };
    *connection = service->Attach(peer_, std::move(send), std::move(cancel));
    shards_[shard] = *connection;
    calls_.Add([observer, shard] { observer->OnShardConnected(shard); });
  }

  const LocalServers servers_;
  const std::string peer_;
  Mutex mu_;
  PsClientObserver* observer_ TENOR_GUARDED_BY(mu_) = nullptr;
  std::optional<ConnectionId> coordinator_ TENOR_GUARDED_BY(mu_);
  std::vector<ShardAddress> addresses_ TENOR_GUARDED_BY(mu_);  // as ConnectShards named them
  std::vector<std::optional<ConnectionId>> shards_ TENOR_GUARDED_BY(mu_);
  TaskThread calls_;
};

}  // namespace

std::unique_ptr<PsClient> MakeLocalClient(LocalServers servers, std::string peer) {
  return std::make_unique<LocalClient>(std::move(servers), std::move(peer));
}

}  // namespace tenor

#ifndef TENOR_SERVER_RUNNER_SHARD_RUNNER_H_
#define TENOR_SERVER_RUNNER_SHARD_RUNNER_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/file_system.h"
#include "base/mutex.h"
#include "base/payload.h"
#include "server/core/shard/events.h"
#include "server/core/shard/shard.h"
#include "server/runner/coordinator_link.h"
#include "server/runner/engine.h"
#include "server/runner/event_loop.h"
#include "server/runner/parameter_space.h"
#include "server/runner/services.h"
#include "server/runner/stream_table.h"

namespace tenor {

// What metrics and health read of a shard.
struct ShardTotals {
  Status status;
  absl::Duration last_tick;  // of the loop, as Clock::Now
  int64_t payload_bytes_in = 0;
  int64_t payload_bytes_out = 0;
  int64_t held_bytes = 0;  // contributions that wait
  double save_wait_seconds = 0;
};

// Carries out what a Shard decides: one loop for the state machine, the engine's threads for the
// bytes, streams by number. Thread-safe.
class ShardRunner : public ShardService, public CoordinatorLinkObserver {
 public:
  // The process is to end with this code; at most once, from the loop.
  using OnExit = std::function<void(int code, const std::string& sentence)>;

  // `clock`, `files` and `link` are borrowed and outlive the runner.
  ShardRunner(shard::Config config, Engine::Options engine, ParameterSpace space,
              const Clock& clock, FileSystem& files, CoordinatorLink& link, OnExit on_exit);
  ~ShardRunner() override;

  void Start();
  // Ends link and loop; what is in flight is finished.
  void Stop();
  // SIGTERM: asks for a checkpoint and the end of serving.
  void WantToLeave();

  ShardTotals Totals() const;

  ConnectionId Attach(absl::string_view peer, Send send, Cancel cancel) override;
  void Receive(ConnectionId connection, WorkerToShard message, Payload payload) override;
  void Detach(ConnectionId connection) override;
  void SendDone(ConnectionId connection, const Chunk& chunk) override;

  shard::ConnectionId OnConnected() override;
  void OnOrder(shard::ConnectionId connection, CoordinatorToShard order) override;
  void OnLost(shard::ConnectionId connection, absl::string_view why) override;

 private:
  struct Stream {
    Send send;
    Cancel cancel;
  };
  // Of a chunk on its way: connection, lineage, version, chunk.
  struct Sending {
    uint64_t connection = 0;
    Lineage lineage = 0;
    Version version = 0;
    ChunkNumber chunk = 0;
    int codec = 0;
    auto operator<=>(const Sending&) const = default;
  };

  // All below run on the loop.
  void Post(shard::Event event);
  void Handle(const shard::Event& event);
  void TakePush(ConnectionId connection, Push push, Payload payload);
  void EndSendsOf(uint64_t connection);
  void EndSend(const Sending& sending);
  void UpdateTotals();
  Payload TakeBuffer(BufferId buffer);

  void Do(const shard::ToCoordinator& effect);
  void Do(const shard::FindCoordinator& effect);
  void Do(const shard::ToWorker& effect);
  void Do(const shard::SendChunk& effect);
  void Do(const shard::CancelStream& effect);
  void Do(const shard::ReleaseBuffer& effect);
  void Do(const shard::StartReduce& effect);
  void Do(const shard::StartNorms& effect);
  void Do(const shard::StartApply& effect);
  void Do(const shard::StartEncode& effect);
  void Do(const shard::DropPayload& effect);
  void Do(const shard::StartSnapshot& effect);
  void Do(const shard::StartSave& effect);
  void Do(const shard::DeleteFile& effect);
  void Do(const shard::StartLoad& effect);
  void Do(const shard::Exit& effect);

  const Clock& clock_;
  CoordinatorLink& link_;
  const OnExit on_exit_;
  std::atomic<uint64_t> next_connection_{0};
  StreamTable<Stream> streams_;

  // State of the loop's thread.
  Shard shard_;
  uint64_t next_buffer_ = 0;
  std::map<BufferId, Payload> buffers_;
  std::multimap<Sending, shard::PayloadId> sending_;

  mutable Mutex mu_;
  ShardTotals totals_ TENOR_GUARDED_BY(mu_);

  EventLoop loop_;
  Engine engine_;  // ends first: its completions go to the loop
};

}  // namespace tenor

#endif  // TENOR_SERVER_RUNNER_SHARD_RUNNER_H_

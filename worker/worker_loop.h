#ifndef TENOR_WORKER_WORKER_LOOP_H_
#define TENOR_WORKER_WORKER_LOOP_H_

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "base/clock.h"
#include "base/mutex.h"
#include "base/payload.h"
#include "model/chunk_table.h"
#include "worker/gradient_work.h"
#include "worker/ps_client.h"
#include "worker/session/events.h"
#include "worker/session/session.h"

namespace tenor {

// What others may see of a worker: metrics and readiness. A copy.
struct WorkerView {
  bool seated = false;
  bool in_round = false;  // a member of a view
  Label label;
  Version version = 0;
  int64_t micro_batches = 0;
  int64_t samples = 0;          // computed by this process
  double loss_sum = 0;          // nats over `samples`
  double compute_seconds = 0;
  double wait_seconds = 0;      // since the start, without computing
  int64_t pushed_bytes = 0;     // payload
  int64_t pulled_bytes = 0;
  int64_t kept_bytes = 0;       // encoded gradient that waits for its verdict
  int32_t accumulation_steps = 0;
  absl::Duration heard_ago;     // since the coordinator's last message
};

// The shell around a Session: one thread that owns it, a queue of events and a timer; the slow work
// is GradientWork's. Thread-safe.
class WorkerLoop : public PsClientObserver {
 public:
  struct Result {
    int exit_code = 0;
    std::string sentence;
  };

  // All pointers outlive the loop. `log` is told, in one line each, what an operator may want to
  // know.
  WorkerLoop(session::Config config, ChunkTable chunks, PsClient* client, Trainer* trainer,
             NodeGroup* group, const Clock* clock, std::function<void(std::string)> log);
  ~WorkerLoop() override;

  // Runs on the caller's thread until the session ends, then stops the client.
  Result Run();

  // Leave at the round's end (SIGTERM).
  void Leave();

  WorkerView View() const;

  // The loop turned within the last 5 s.
  bool turning() const;

  void OnCoordinatorConnected() override;
  void OnCoordinatorLost(const absl::Status& why) override;
  void OnCoordinatorMessage(CoordinatorToWorker message) override;
  void OnShardConnected(int shard) override;
  void OnShardLost(int shard, const absl::Status& why) override;
  void OnShardMessage(int shard, ShardToWorker message, Payload payload) override;

 private:
  struct Item {
    session::Event event;
    Payload payload;  // of ChunkArrived and Encoded
  };
  // What was pushed of one computation.
  struct Kept {
    session::ComputationId computation;
    int64_t samples = 0;
    spec::Codec::Id codec = spec::Codec::FP32;
    std::vector<Payload> bytes;  // [chunk]
    int64_t total = 0;
  };

  void Add(session::Event event, Payload payload = {});
  std::optional<Item> Next();
  void Step(Item item);
  void Note(const Item& item);
  void Publish();

  void Carry(const session::Effect& effect);
  void Do(const session::ToCoordinator& effect);
  void Do(const session::FindCoordinator& effect);
  void Do(const session::ConnectShards& effect);
  void Do(const session::ToShard& effect);
  void Do(const session::DecodeChunk& effect);
  void Do(const session::ReleaseBuffer& effect);
  void Do(const session::StartCompute& effect);
  void Do(const session::SumAgain& effect);
  void Do(const session::CancelCompute& effect);
  void Do(const session::EncodeChunk& effect);
  void Do(const session::Settle& effect);
  void Do(const session::DropKept& effect);
  void Do(const session::ZeroResidual& effect);
  void Do(const session::ResetLanes& effect);
  void Do(const session::DropWeights& effect);
  void Do(const session::Exit& effect);

  PsClient* const client_;
  const Clock* const clock_;
  const ChunkTable chunks_;
  const std::function<void(std::string)> log_;

  // Of the loop's thread.
  Session session_;
  session::ConnectionId connection_;
  uint64_t next_buffer_ = 1;
  std::map<uint64_t, Payload> arrived_;
  Kept kept_;
  WorkerView shown_;
  absl::Duration last_tick_ = absl::ZeroDuration();
  absl::Duration last_heard_ = absl::ZeroDuration();
  std::optional<Result> result_;

  mutable Mutex mu_;
  CondVar arrived_event_;
  std::deque<Item> items_ TENOR_GUARDED_BY(mu_);
  WorkerView view_ TENOR_GUARDED_BY(mu_);
  absl::Duration published_ TENOR_GUARDED_BY(mu_);
  std::optional<absl::Status> error_ TENOR_GUARDED_BY(mu_);

  GradientWork work_;  // last: its threads add events
};

}  // namespace tenor

#endif  // TENOR_WORKER_WORKER_LOOP_H_

#ifndef TENOR_TESTS_SIM_WORKER_PROCESS_H_
#define TENOR_TESTS_SIM_WORKER_PROCESS_H_

#include <map>
#include <vector>

#include "server/core/messages.h"
#include "tests/sim/coordinator_dialer.h"
#include "tests/sim/process.h"
#include "tests/sim/shard_runner.h"
#include "tests/sim/trainer.h"
#include "worker/session/session.h"

namespace tenor::sim {

// One worker: a Session, a simulated trainer and what carries out the session's effects.
class WorkerProcess : public Process {
 public:
  WorkerProcess(World* world, int index, ProcessNumber number);

  void Start() override;
  void Tick() override;
  std::string Describe() const override;
  void ClientStreamLost(StreamNumber stream) override;
  void ServerStreamLost(StreamNumber) override {}

  void FromCoordinator(StreamNumber stream, const CoordinatorToWorker& message);
  void FromShard(StreamNumber stream, const ShardToWorker& message);
  void ChunkArrived(StreamNumber stream, const Chunk& chunk, uint64_t weights);

  Trainer& trainer() { return trainer_; }
  StreamNumber control_stream() const { return dialer_.stream(); }
  // SIGTERM.
  void AskToLeave();
  // A node aggregator loses one of its local workers.
  void LoseLocalWorker();
  // When its newest Report was sent; 0 = never.
  Millis reported() const { return reported_; }
  bool exited() const { return exited_; }

 private:
  struct Link {
    ShardAddress address;
    StreamNumber stream = 0;
    bool dialling = false;
  };

  void Step(const session::Event& event);
  void Run(const session::ToCoordinator& effect);
  void Run(const session::FindCoordinator& effect);
  void Run(const session::ConnectShards& effect);
  void Run(const session::ToShard& effect);
  void Run(const session::DecodeChunk& effect);
  void Run(const session::ReleaseBuffer& effect);
  void Run(const session::StartCompute& effect) { trainer_.Compute(effect); }
  void Run(const session::SumAgain& effect) { trainer_.SumAgain(effect); }
  void Run(const session::CancelCompute& effect) { trainer_.Cancel(effect.computation); }
  void Run(const session::EncodeChunk& effect) { trainer_.Encode(effect); }
  void Run(const session::Settle& effect) { trainer_.Settle(effect); }
  void Run(const session::DropKept& effect) { trainer_.DropKept(effect.computation); }
  void Run(const session::ZeroResidual&) { trainer_.ZeroResidual(); }
  void Run(const session::ResetLanes&) {}
  void Run(const session::DropWeights&) { trainer_.DropWeights(); }
  void Run(const session::Exit& effect);

  void DialShard(int shard);
  int ShardOf(StreamNumber stream) const;

  World* const world_;
  Session session_;
  CoordinatorDialer dialer_;
  Trainer trainer_;
  std::vector<Link> links_;  // index = shard
  uint64_t buffers_made_ = 0;
  std::map<BufferId, uint64_t> received_;  // payload -> hash of weights
  Millis reported_ = 0;
  bool exited_ = false;
  bool leaving_ = false;
};

}  // namespace tenor::sim

#endif  // TENOR_TESTS_SIM_WORKER_PROCESS_H_

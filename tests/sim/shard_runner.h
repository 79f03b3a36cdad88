#ifndef TENOR_TESTS_SIM_SHARD_RUNNER_H_
#define TENOR_TESTS_SIM_SHARD_RUNNER_H_

#include <map>
#include <set>
#include <string>
#include <vector>

#include "server/core/shard/events.h"
#include "server/core/shard/shard.h"
#include "tests/sim/buffers.h"
#include "tests/sim/coordinator_dialer.h"
#include "tests/sim/process.h"
#include "tests/sim/sum_oracle.h"

namespace tenor::sim {

class World;

// What travels beside a Push.
struct PushPayload {
  int computation = 0;
  bool finite = true;
};

// A Shard and what carries out its effects: buffers, sums, parameters as hashes, files. Tells the
// oracles what it sees and checks invariants 8 and 9 itself. Single-threaded.
class ShardRunner {
 public:
  ShardRunner(World* world, Process* self);

  void Tick();
  void FromCoordinator(StreamNumber stream, const CoordinatorToShard& order);
  void FromWorker(StreamNumber stream, const WorkerToShard& message, const PushPayload& payload);
  void CoordinatorLost(StreamNumber stream);
  void DataStreamLost(StreamNumber stream);

  // SIGTERM.
  void AskToLeave() { Step(shard::WantsToLeave{}); }
  // Nothing but the newest payload is held; checked after the end and a drain.
  void CheckDrained();
  std::string Describe() const;

 private:
  struct Payload {
    Version version = 0;
    uint64_t weights = 0;
    int users = 0;  // sends and encodes in flight
  };

  void Step(const shard::Event& event);
  void Later(int low, int high, shard::Event event);
  void Connected(StreamNumber stream);

  void Run(const shard::ToCoordinator& effect);
  void Run(const shard::FindCoordinator& effect);
  void Run(const shard::ToWorker& effect);
  void Run(const shard::SendChunk& effect);
  void Run(const shard::CancelStream& effect);
  void Run(const shard::ReleaseBuffer& effect);
  void Run(const shard::StartReduce& effect);
  void Run(const shard::StartNorms& effect);
  void Run(const shard::StartApply& effect);
  void Run(const shard::StartEncode& effect);
  void Run(const shard::DropPayload& effect);
  void Run(const shard::StartSnapshot& effect);
  void Run(const shard::StartSave& effect);
  void Run(const shard::DeleteFile& effect);
  void Run(const shard::StartLoad& effect);
  void Run(const shard::Exit& effect);

  void FinishReduce(const shard::StartReduce& effect);
  void FinishNorms(const shard::StartNorms& effect);
  void FinishApply(const shard::StartApply& effect);
  void FinishLoad(const shard::StartLoad& effect);
  void ReadParameters(const CheckpointName& base);
  std::vector<ChunkSum> Sums() const;
  // Operations that read or write parameters; see invariant 9.
  void BeginExclusive(const char* what);
  void Release(BufferId buffer);
  void CheckStash();

  World* const world_;
  Process* const self_;
  Shard shard_;
  CoordinatorDialer dialer_;
  Buffers buffers_;
  std::map<ChunkNumber, std::vector<Contribution>> sums_;
  ShardState state_;
  std::map<shard::PayloadId, Payload> payloads_;
  std::map<CheckpointName, ShardState> snapshots_;
  std::set<BufferId> reducing_;
  int snapshots_running_ = 0;
  int norms_running_ = 0;
  int applies_running_ = 0;
  int encodes_running_ = 0;
  int loads_running_ = 0;
  Label norms_label_;
};

}  // namespace tenor::sim

#endif  // TENOR_TESTS_SIM_SHARD_RUNNER_H_

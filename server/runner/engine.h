#ifndef TENOR_SERVER_RUNNER_ENGINE_H_
#define TENOR_SERVER_RUNNER_ENGINE_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "base/payload.h"
#include "ops/optim/adam.h"
#include "ops/optim/decay_range.h"
#include "proto/spec.pb.h"
#include "server/core/shard/events.h"
#include "server/runner/checkpoint_store.h"
#include "server/runner/parameter_space.h"
#include "server/runner/shard_file.h"
#include "server/runner/task_pool.h"

namespace tenor {

// The bytes of one shard: masters, moments and sums of its own chunks, and the work on them that
// server/core/shard orders. Every Start returns at once; the work runs on threads of the engine and
// ends with exactly one call of `done`. That no two operations meet on the same bytes is the
// shard's rule (events.h), not checked here.
//
// Sums add contributions in the order of the calls, chunk by chunk, so the bits depend neither on
// the number of threads nor on the number of servers.
//
// Memory: 16 bytes a parameter and the payloads that the shard keeps.
// Start*, Drop and payload are called from one thread; `done` is called from any.
class Engine {
 public:
  struct Options {
    int threads = 1;
    ShardFileIdentity identity;  // checkpoint is ignored
    spec::OptimizerSpec optimizer;
  };
  using Done = std::function<void(shard::Event)>;

  // `files` is borrowed and outlives the engine.
  Engine(Options options, ParameterSpace space, FileSystem& files, Done done);
  // Waits for the work in flight.
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // Bytes that Engine allocates for a shard of this space.
  static uint64_t BytesNeeded(const ParameterSpace& space, int32_t shard, int32_t shards);

  // Contribution is empty for one that is zero.
  void StartReduce(const shard::StartReduce& order, Payload contribution);
  void StartNorms(const shard::StartNorms& order);
  void StartApply(const shard::StartApply& order);
  void StartEncode(const shard::StartEncode& order);
  void StartSnapshot(const shard::StartSnapshot& order);
  void StartSave(const shard::StartSave& order);
  void StartLoad(const shard::StartLoad& order);
  // No completion.
  void DeleteFile(const shard::DeleteFile& order);

  // Of an ended StartEncode, until DropPayload.
  Payload payload(shard::PayloadId id) const;
  void DropPayload(shard::PayloadId id);

 private:
  // Views of one own chunk.
  struct Piece {
    ChunkNumber chunk = 0;
    std::span<float> weight, m, v, sum;
    std::vector<DecayRange> decay;
  };
  class Countdown;

  Piece& piece(ChunkNumber chunk);
  std::vector<ChunkState<float>> States();
  std::vector<ChunkState<const float>> ConstStates();
  ShardFileIdentity IdentityOf(const CheckpointName& checkpoint) const;
  void Reduce(const shard::StartReduce& order, const Payload& contribution);
  void Load(const shard::StartLoad& order);
  void LoadInitial(const shard::StartLoad& order);
  absl::Status LoadCheckpoint(const CheckpointName& base);
  absl::Status Snapshot(const CheckpointName& checkpoint);
  void Save(const shard::StartSave& order);
  // Calls `work` on every piece, on all threads, then reports `last`.
  void ForEachPiece(std::function<void(Piece&)> work, shard::Event last);

  const Options options_;
  const ParameterSpace space_;
  FileSystem& files_;
  const Done done_;
  const CheckpointStore checkpoints_;

  std::vector<float> masters_, m_, v_, sums_;  // own chunks, one behind the other
  std::vector<Piece> pieces_;                  // ascending

  // An encode fills its own vector; the map is touched by the caller's thread only.
  struct Encoded {
    std::shared_ptr<std::vector<std::byte>> bytes;
  };
  std::map<shard::PayloadId, Encoded> payloads_;

  // Files are touched by the disk's one thread only.
  std::map<CheckpointName, std::unique_ptr<ShardFileWriter>> snapshots_;
  TaskPool disk_{1};
  TaskPool pool_;
};

}  // namespace tenor

#endif  // TENOR_SERVER_RUNNER_ENGINE_H_

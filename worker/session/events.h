// What a worker's session is told and what it asks for. What takes time is an effect out and an
// event in, so that a simulation can delay it.
#ifndef TENOR_WORKER_SESSION_EVENTS_H_
#define TENOR_WORKER_SESSION_EVENTS_H_

#include <compare>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "absl/time/time.h"
#include "server/core/messages.h"
#include "server/core/names.h"

namespace tenor::session {

// One control stream, from its opening to its end. Numbered by the shell, never used twice.
struct ConnectionId {
  uint64_t value = 0;
  auto operator<=>(const ConnectionId&) const = default;
};

// One gradient of this process: once per (lineage, round), and once more for each sum that a node
// makes after a local loss. Numbered by the session from 1, never used twice.
struct ComputationId {
  uint64_t value = 0;
  auto operator<=>(const ComputationId&) const = default;
};

// Start the session when data are open and kernels ready: what is left of a member's warm-up is its
// business.
struct Config {
  std::string name;    // of the member, [A-Za-z0-9._-]{1,128}
  ProcessId process;   // drawn at the process's start
  int32_t weight = 1;  // local workers
  Hashes hashes;       // computed by this process
  std::vector<spec::Compute::Type> compute;
  std::string processor;   // for the sentence of a refusal
  ChunkNumber chunks = 1;  // of the whole vector, >= 1
  uint64_t seed = 0;       // of the jitter; differs between processes

  absl::Duration join_period = absl::Milliseconds(200);
  absl::Duration heartbeat_period = absl::Milliseconds(200);
  absl::Duration silence = absl::Milliseconds(1500);       // nothing heard: FindCoordinator
  absl::Duration retry_minimum = absl::Milliseconds(100);  // jittered wait between look-ups
  absl::Duration retry_maximum = absl::Seconds(5);
  absl::Duration name_wait = absl::Seconds(10);         // Busy for so long: exit 3
  absl::Duration busy_gap = absl::Seconds(1);           // Busy ends after so long without one
  absl::Duration push_retry = absl::Milliseconds(100);  // after Retry
  absl::Duration push_repeat = absl::Seconds(5);        // after Stale or no answer
  absl::Duration pull_repeat = absl::Seconds(1);        // no chunk of the shard arrived
  absl::Duration hello_repeat = absl::Seconds(1);
  absl::Duration report_repeat = absl::Milliseconds(200);  // also Retract and Leave
};

// ---------------------------------------------------------------- events

struct CoordinatorConnected {  // replaces an older connection, if any
  ConnectionId connection;
};
struct CoordinatorLost {
  ConnectionId connection;
};
struct FromCoordinator {  // ignored if `connection` is not the newest
  ConnectionId connection;
  CoordinatorToWorker message;
};
struct ShardConnected {
  int32_t shard = 0;
};
struct ShardLost {
  int32_t shard = 0;
};
struct FromShard {
  int32_t shard = 0;
  ShardToWorker message;  // any but Chunk
};
// A chunk of weights, still encoded. The session answers with DecodeChunk or ReleaseBuffer.
struct ChunkArrived {
  int32_t shard = 0;
  Chunk chunk;
  BufferId payload;
};
// The chunk is in the weights. `ok` false: its bytes are not a frame of its codec; it is pulled
// again.
struct ChunkDecoded {
  Lineage lineage = 0;
  Version version = 0;
  ChunkNumber chunk = 0;
  bool ok = true;
};
// The gradient of a chunk is whole: the sum over `samples` samples of this member in the round.
struct GradientChunkReady {
  ComputationId computation;
  ChunkNumber chunk = 0;
  int64_t samples = 0;
  bool finite = true;
};
// The chunk is encoded and its bytes are kept. `finite` false: a = g + n q was not, nothing is
// kept.
struct Encoded {
  ComputationId computation;
  ChunkNumber chunk = 0;
  bool finite = true;
  int64_t bytes = 0;
};
// After the last GradientChunkReady of the computation.
struct ComputeDone {
  ComputationId computation;
  int64_t samples = 0;
  double loss_sum = 0;  // nats over the samples
  bool finite = true;
  std::vector<Lease> consumption;
};
// Node aggregator: a local worker died; `weight` = those that are left.
struct LocalLoss {
  int32_t weight = 1;
};
struct ProgressMade {};    // a micro-batch is done
struct LeaveRequested {};  // SIGTERM: leave at the round's end
struct Tick {};            // every 50 ms or oftener; first one at the start

using Event = std::variant<CoordinatorConnected, CoordinatorLost, FromCoordinator, ShardConnected,
                           ShardLost, FromShard, ChunkArrived, ChunkDecoded, GradientChunkReady,
                           Encoded, ComputeDone, LocalLoss, ProgressMade, LeaveRequested, Tick>;

// ---------------------------------------------------------------- effects

// On the newest connection; lost where it is gone. The shell fills in a Heartbeat's compute_seconds
// and wait_seconds.
struct ToCoordinator {
  WorkerMessage message;
};
// Look the coordinator's address up and dial. A connection that is there stays until the new one
// reports CoordinatorConnected; a shell that finds it alive at that address does nothing.
struct FindCoordinator {};
// The table of shards, index = shard. A connection to the same address and process stays; others
// are closed. Each reports ShardConnected, is dialled again for ever, and reports ShardLost.
struct ConnectShards {
  std::vector<ShardAddress> shards;
};
// The shell attaches the kept bytes of (computation, chunk) to a Push with bytes > 0. Lost where
// the connection is gone.
struct ToShard {
  int32_t shard = 0;
  WorkerToShard message;
  ComputationId computation;  // of a Push
};
// Decodes into the weights, after a running computation on them has stopped, and releases the
// payload; ends with ChunkDecoded.
struct DecodeChunk {
  Chunk chunk;
  BufferId payload;
};
struct ReleaseBuffer {
  BufferId payload;
};
// Compute the directive's leases on the pulled weights; later views of the round change nothing.
// A lane whose end state (after the last committed round) or start state fits its first lease's
// position goes on from it; any other, and every one where rebuild_lanes, replays the warm-up.
struct StartCompute {
  ComputationId computation;
  Directive directive;
};
// Node aggregator, after a local loss: the sum of the local gradients that are whole, with their
// samples and consumption only, replaces the sum of `replaced`. Ends like a computation.
struct SumAgain {
  ComputationId computation;
  ComputationId replaced;
  Directive directive;
};
// Stop it; events of it that still come are ignored. Its gradient stays until Settle or DropKept.
struct CancelCompute {
  ComputationId computation;
};
// Makes a = g + n q (n = samples) and, if it is finite, encodes it; ends with Encoded.
struct EncodeChunk {
  ComputationId computation;
  ChunkNumber chunk = 0;
  spec::Codec::Id codec = spec::Codec::FP32;
  int64_t samples = 0;
};
// The round of the kept gradient has its verdict. applied: q := (a - decode(bytes)) / n, or 0 if
// zero_residual (a flush), and the lanes' end state is committed. Else q stays and the lanes go
// back to the state at the start of the round. The gradient and its bytes are dropped either way.
struct Settle {
  ComputationId computation;
  bool applied = false;
  bool zero_residual = false;
};
struct DropKept {  // gradient and bytes, without settling
  ComputationId computation;
};
struct ZeroResidual {};
struct ResetLanes {};  // every lane replays its warm-up before it goes on
struct DropWeights {};
struct Exit {
  int code = 0;  // 0 done or left, 1 the job failed, 3 refused or name in use
  std::string sentence;
};

using Effect = std::variant<ToCoordinator, FindCoordinator, ConnectShards, ToShard, DecodeChunk,
                            ReleaseBuffer, StartCompute, SumAgain, CancelCompute, EncodeChunk,
                            Settle, DropKept, ZeroResidual, ResetLanes, DropWeights, Exit>;

}  // namespace tenor::session

#endif  // TENOR_WORKER_SESSION_EVENTS_H_

// What the shard is told and what it asks for. Everything that takes time is an effect out and an
// event in, so that a simulation can delay it: an operation is named by its OperationId, its
// completion comes back exactly once, whatever happened meanwhile.
#ifndef TENOR_SERVER_CORE_SHARD_EVENTS_H_
#define TENOR_SERVER_CORE_SHARD_EVENTS_H_

#include <compare>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "absl/time/time.h"
#include "server/core/messages.h"
#include "server/core/names.h"

namespace tenor::shard {

// One stream, from its opening to its end, with a coordinator or with a worker (which may hold
// several). Numbered by the shell, never used twice in a process; 0 = none.
struct ConnectionId {
  uint64_t value = 0;
  auto operator<=>(const ConnectionId&) const = default;
};

// The encoded bytes of one chunk of one version, shared by all workers that pull it. Numbered by
// the shard, never used twice.
struct PayloadId {
  uint64_t value = 0;
  auto operator<=>(const PayloadId&) const = default;
};

struct Config {
  int32_t shard = 0;       // k, 0..shards-1
  int32_t shards = 1;      // K
  ChunkNumber chunks = 0;  // of the whole vector; this shard has those with c mod K = k, maybe none
  bool two_phase = false;  // LAMB: an apply needs Decide before Finish
  // Payload bytes of one member that may wait for their turn. A frame whose turn it is is always
  // taken, even one larger than this.
  int64_t credit_bytes = int64_t{64} << 20;
  // Chunks that one connection may have asked to be encoded or sent at a time.
  int32_t pull_window = 8;

  ProcessId process;      // drawn at the process's start
  std::string address;    // advertised, host:port
  std::string run_nonce;  // read in the run folder
  Hashes hashes;          // protocol, job and layout; data is not compared

  absl::Duration status_period = absl::Milliseconds(100);  // Status without a change
  absl::Duration name_wait = absl::Seconds(10);            // Busy for so long: exit 3
  absl::Duration busy_gap = absl::Seconds(1);              // Busy ends after so long without one
  absl::Duration coordinator_silence = absl::Seconds(10);  // no message: FindCoordinator
  absl::Duration find_period = absl::Seconds(1);           // the same without a connection
};

// ---------------------------------------------------------------- events

struct CoordinatorConnected {  // Status goes to the newest one
  ConnectionId connection;
};
struct CoordinatorLost {
  ConnectionId connection;
};
struct OrderFrom {
  ConnectionId connection;
  CoordinatorToShard order;
};
struct HelloArrived {
  ConnectionId connection;
  Hello hello;
};
struct PullArrived {
  ConnectionId connection;
  Pull pull;
};
// The frame is in memory. `payload` is none for a frame without payload bytes (poison, or no
// samples); else the shard releases it, once, with ReleaseBuffer or by the end of its Reduce.
struct PushArrived {
  ConnectionId connection;
  Push push;
  BufferId payload;
};
// A worker's stream ended, for whatever reason. Its SendDone events come too, before or after.
struct StreamClosed {
  ConnectionId connection;
};
// The contribution is in the sum and its payload is no longer read. `finite`: it could be decoded
// and every value was finite. square_sum: FP64 sum of squares of the chunk's sum, where `last` was
// set.
struct ReduceDone {
  OperationId operation;
  bool finite = true;
  double square_sum = 0;
};
struct NormsDone {
  OperationId operation;
  std::vector<PartialNorm> norms;  // in (chunk, tensor) order
};
struct ApplyDone {
  OperationId operation;
};
struct EncodeDone {
  OperationId operation;
};
// Every chunk is in the temporary file, or `error` says why not (then nothing is left on disk).
struct SnapshotDone {
  OperationId operation;
  std::string error;  // empty = done
};
struct SaveDone {
  OperationId operation;
  SavedFile file;
};
struct SaveFailed {  // nothing is left on disk
  OperationId operation;
  std::string error;
};
struct LoadDone {
  OperationId operation;
};
struct LoadFailed {
  OperationId operation;
  LoadErrorKind kind = LoadErrorKind::kOther;
  std::string text;
};
// One SendChunk is over: by completion or by cancellation. Exactly one for each SendChunk.
struct SendDone {
  ConnectionId connection;
  PayloadId payload;
};
struct Tick {};          // every 50 to 100 ms
struct WantsToLeave {};  // SIGTERM: ask for a checkpoint and the end of serving

using Event = std::variant<CoordinatorConnected, CoordinatorLost, OrderFrom, HelloArrived,
                           PullArrived, PushArrived, StreamClosed, ReduceDone, NormsDone, ApplyDone,
                           EncodeDone, SnapshotDone, SaveDone, SaveFailed, LoadDone, LoadFailed,
                           SendDone, Tick, WantsToLeave>;

// ---------------------------------------------------------------- effects

struct ToCoordinator {
  ConnectionId connection;
  Status status;
};
// No message came from the coordinator for coordinator_silence, or there is no connection: look its
// address up again and dial. A shell that finds its connection alive at that address does nothing.
struct FindCoordinator {};
struct ToWorker {
  ConnectionId connection;
  ShardToWorker message;  // never Chunk
};
// Sends a chunk with the encoded bytes; ends with SendDone. On a closed connection: at once.
struct SendChunk {
  ConnectionId connection;
  Chunk chunk;
  PayloadId payload;
};
// Ends the stream: its member is out of the view, or it holds the oldest of three versions.
struct CancelStream {
  ConnectionId connection;
};
// The payload of a frame that was not taken. Never a buffer in an operation.
struct ReleaseBuffer {
  BufferId buffer;
};
// Adds one decoded contribution to the chunk's FP32 sum, or overwrites the sum if `first`. Without
// buffer the contribution is zero. At the end the runner releases the buffer and, if `last`,
// reports the sum's squares. At most one Reduce a chunk is in flight.
struct StartReduce {
  OperationId operation;
  ChunkNumber chunk = 0;
  BufferId buffer;
  spec::Codec::Id codec = spec::Codec::FP32;
  int32_t rank = 0;
  int64_t samples = 0;
  bool first = false;
  bool last = false;
};
// Updates the moments from the sums / divisor * coefficient and computes partial norms.
struct StartNorms {
  OperationId operation;
  Decide decide;
};
// Updates the masters (and, without Norms, the moments) of every chunk.
struct StartApply {
  OperationId operation;
  Finish finish;
};
// Encodes a chunk of the masters. Never in flight together with Apply or Load.
struct StartEncode {
  OperationId operation;
  PayloadId payload;
  ChunkNumber chunk = 0;
  spec::Codec::Id codec = spec::Codec::FP32;
};
struct DropPayload {  // no send and no encode of it is in flight
  PayloadId payload;
};
// Writes masters and moments to the temporary file through a bounded buffer. Never in flight
// together with Norms, Apply or Load.
struct StartSnapshot {
  OperationId operation;
  CheckpointName checkpoint;
};
// fsync and rename of the snapshot's file.
struct StartSave {
  OperationId operation;
  CheckpointName checkpoint;
};
// This shard's file of a checkpoint of a dead lineage, temporary or final.
struct DeleteFile {
  CheckpointName checkpoint;
};
struct StartLoad {
  OperationId operation;
  CheckpointName base;  // all zero = version 0, a function of the JobSpec
};
struct Exit {
  int code = 0;  // 0 done, 1 the job failed, 3 refused or index in use
  std::string sentence;
};

using Effect = std::variant<ToCoordinator, FindCoordinator, ToWorker, SendChunk, CancelStream,
                            ReleaseBuffer, StartReduce, StartNorms, StartApply, StartEncode,
                            DropPayload, StartSnapshot, StartSave, DeleteFile, StartLoad, Exit>;

}  // namespace tenor::shard

#endif  // TENOR_SERVER_CORE_SHARD_EVENTS_H_

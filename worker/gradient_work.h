#ifndef TENOR_WORKER_GRADIENT_WORK_H_
#define TENOR_WORKER_GRADIENT_WORK_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "base/clock.h"
#include "base/payload.h"
#include "base/task_thread.h"
#include "model/chunk_table.h"
#include "worker/node_group.h"
#include "worker/session/events.h"
#include "worker/trainer.h"

namespace tenor {

// The slow half of a worker: what the session asks for and that takes time, on two threads. One
// computes and writes weights, so both never meet; the other encodes the chunks that are final
// while the rest of the gradient is still computed. Thread-safe. Everything returns at once; what
// comes of it goes to the sink, from either thread.
class GradientWork {
 public:
  // An event for the session; `payload` holds the bytes of an Encoded chunk.
  using Sink = std::function<void(session::Event event, Payload payload)>;
  // The trainer failed: the process cannot go on.
  using OnError = std::function<void(const absl::Status& error)>;

  // `trainer`, `group` and `clock` outlive this. Codecs with random rounding take `seed`.
  GradientWork(Trainer* trainer, NodeGroup* group, ChunkTable chunks, const Clock* clock,
               uint64_t seed, Sink sink, OnError on_error);
  ~GradientWork();

  void Compute(const session::StartCompute& start);
  void Cancel(session::ComputationId computation);
  void Encode(const session::EncodeChunk& encode);
  // Decodes into the weights once a computation on them has stopped.
  void Decode(const Chunk& chunk, Payload payload);
  // `bytes` [chunk]: what was pushed, for codecs that keep a residual.
  void Settle(const session::Settle& settle, int64_t samples, spec::Codec::Id codec,
              std::vector<Payload> bytes);
  void ZeroResidual();
  void ResetLanes();

  // Seconds spent computing, without what was cancelled.
  double compute_seconds() const { return compute_seconds_.load(std::memory_order_relaxed); }

  // Ends both threads; waits for the micro-batch that runs.
  void Stop();

 private:
  struct Running;

  void RunCompute(const session::StartCompute& start, const Running& running);
  void Announce(const session::StartCompute& start, int64_t samples, size_t from, size_t to);
  void RunEncode(const session::EncodeChunk& encode);
  void RunDecode(const Chunk& chunk, const Payload& payload);
  void RunSettle(const session::Settle& settle, int64_t samples, spec::Codec::Id codec,
                 const std::vector<Payload>& bytes);
  std::span<float> GradientOf(ChunkNumber chunk);
  std::span<float> ResidualOf(ChunkNumber chunk);

  Trainer* const trainer_;
  NodeGroup* const group_;
  const ChunkTable chunks_;
  const Clock* const clock_;
  const uint64_t seed_;
  const Sink sink_;
  const OnError on_error_;
  // Per sample, of the whole vector; empty = 0. Of the encoding thread.
  std::vector<float> residual_;
  std::shared_ptr<std::atomic<bool>> cancelled_;  // of the newest computation; of the caller
  session::ComputationId newest_;                 // same
  std::atomic<double> compute_seconds_ = 0;
  TaskThread encoding_;
  TaskThread computing_;
};

}  // namespace tenor

#endif  // TENOR_WORKER_GRADIENT_WORK_H_

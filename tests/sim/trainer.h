#ifndef TENOR_TESTS_SIM_TRAINER_H_
#define TENOR_TESTS_SIM_TRAINER_H_

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "server/core/messages.h"
#include "tests/sim/history.h"
#include "tests/sim/process.h"
#include "worker/session/events.h"

namespace tenor::sim {

class World;

// The part of a worker that computes: takes time, makes gradients chunk by chunk from the end of
// the vector, carries the residual, holds the weights. Gradients are numbers of computations.
// Single-threaded.
class Trainer {
 public:
  using Tell = std::function<void(const session::Event&)>;

  Trainer(World* world, Process* self, Tell tell);

  void Compute(const session::StartCompute& effect);
  // A local worker died: the sum loses its part.
  void SumAgain(const session::SumAgain& effect);
  void Cancel(session::ComputationId computation);
  void Encode(const session::EncodeChunk& effect);
  void Settle(const session::Settle& effect);
  void DropKept(session::ComputationId computation);
  void ZeroResidual() { residual_of_.clear(); }
  void SetWeights(ChunkNumber chunk, uint64_t weights) { weights_[chunk] = weights; }
  void DropWeights() { weights_.clear(); }

  // Computes no more; the rest of the process goes on.
  void Hang() { hung_ = true; }
  bool hung() const { return hung_; }
  // Every chunk takes so much longer, with progress meanwhile.
  void set_slow(Millis slow) { slow_ = slow; }

  // Number in the history of what a session calls `computation`; -1 = none.
  int NumberOf(session::ComputationId computation) const;
  // Of the newest one.
  int newest() const { return newest_; }
  // That of a member without samples, which nobody asked for: one per incarnation and round.
  int EmptyComputation(const Report& report);
  bool ChunkFinite(session::ComputationId computation, ChunkNumber chunk) const;
  // The gradient of the newest computation is whole and not yet settled.
  bool holds_whole() const;

 private:
  struct Work {
    int number = 0;
    int made = 0;                // chunks
    ChunkNumber bad_chunk = -1;  // not finite
    bool bad_at_encode = false;  // only a = g + n q shows it
    bool cancelled = false;
    bool dropped = false;
  };
  void Begin(session::ComputationId id, int number, Millis first);
  void MakeChunk(session::ComputationId id);
  void Finish(session::ComputationId id);
  bool DrawFinite(const Directive& directive) const;
  std::vector<uint64_t> ParametersByShard() const;

  World* const world_;
  Process* const self_;
  const Tell tell_;
  std::map<ChunkNumber, uint64_t> weights_;
  std::vector<int> residual_of_;
  std::map<session::ComputationId, Work> work_;
  session::ComputationId newest_id_;
  int newest_ = -1;
  Computation empty_;
  int empty_number_ = -1;
  bool hung_ = false;
  Millis slow_ = 0;
};

}  // namespace tenor::sim

#endif  // TENOR_TESTS_SIM_TRAINER_H_

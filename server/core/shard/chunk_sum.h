#ifndef TENOR_SERVER_CORE_SHARD_CHUNK_SUM_H_
#define TENOR_SERVER_CORE_SHARD_CHUNK_SUM_H_

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "server/core/names.h"
#include "server/core/shard/events.h"

namespace tenor::shard {

// One member's gradient of one chunk, still encoded.
struct Contribution {
  BufferId buffer;  // none: zero
  int64_t bytes = 0;
  spec::Codec::Id codec = spec::Codec::FP32;
  int64_t samples = 0;
};

// The ordered sum of one chunk in one view: who has contributed, what waits for its turn, and the
// one Reduce in flight. Single-threaded.
//
// Invariant: the Reduce in flight outlives a reset, orphaned: its end counts for nothing, and until
// then no other Reduce of this chunk starts.
class ChunkSum {
 public:
  explicit ChunkSum(ChunkNumber chunk) : chunk_(chunk) {}

  // Begins anew for a view of `members`; gives back what waited.
  std::vector<Contribution> Reset(int32_t members);

  bool received(int32_t rank) const { return received_[rank]; }
  // The contribution of `rank` would be added at once.
  bool IsTurn(int32_t rank) const { return !busy() && NextRank() == rank; }
  // The rank that is added next; none when all are in.
  std::optional<int32_t> NextRank() const;
  // The member whom the sum waits for: its turn has come and its contribution has not.
  std::optional<int32_t> WaitsFor() const;
  bool complete() const { return !busy() && summed_ == members(); }
  int64_t bytes_in_operation() const { return in_operation_.bytes; }
  double square_sum() const { return square_sum_; }

  // REQUIRES: !received(rank).
  void Take(int32_t rank, const Contribution& contribution);
  // Whether the next contribution is here and can be added now.
  bool CanBegin() const;
  // Starts the next Reduce. REQUIRES: CanBegin().
  StartReduce Begin(OperationId operation);
  // The Reduce in flight is over. Returns whether it counts (was not orphaned).
  bool End(double square_sum);

 private:
  bool busy() const { return operation_ != OperationId{}; }
  int32_t members() const { return static_cast<int32_t>(received_.size()); }

  const ChunkNumber chunk_;
  std::vector<bool> received_;  // by rank
  int32_t summed_ = 0;
  std::map<int32_t, Contribution> waiting_;  // by rank
  OperationId operation_;
  bool orphaned_ = false;
  Contribution in_operation_;
  double square_sum_ = 0;
};

}  // namespace tenor::shard

#endif  // TENOR_SERVER_CORE_SHARD_CHUNK_SUM_H_

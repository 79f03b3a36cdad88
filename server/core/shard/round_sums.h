#ifndef TENOR_SERVER_CORE_SHARD_ROUND_SUMS_H_
#define TENOR_SERVER_CORE_SHARD_ROUND_SUMS_H_

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "server/core/shard/chunk_sum.h"
#include "server/core/shard/events.h"
#include "server/core/shard/operations.h"

namespace tenor::shard {

// All sums of one view on one shard, with the credits of its members. Single-threaded.
//
// Dead-lock cannot come from the order of arrival: a frame whose turn it is is always taken, and
// credits are never pooled, so that nobody can use up the room of the member everybody waits for.
class RoundSums {
 public:
  enum class Offered { kTaken, kDuplicate, kNoCredit };

  // Chunks c < chunks with c mod shards = shard.
  explicit RoundSums(const Config& config);

  bool Owns(ChunkNumber chunk) const { return sums_.contains(chunk); }
  std::vector<ChunkNumber> chunks() const;

  // Begins anew for a view of `members`: releases what waited, orphans what is in flight.
  void Reset(int32_t members, std::vector<Effect>* effects);

  // A contribution of `rank`, kept only if kTaken. REQUIRES: Owns(chunk), rank in the view.
  Offered Offer(ChunkNumber chunk, int32_t rank, const Contribution& contribution, bool poison,
                Operations* operations, std::vector<Effect>* effects);
  // Ignored if no such Reduce is in flight.
  void OnReduceDone(const ReduceDone& done, Operations* operations, std::vector<Effect>* effects);

  // Every chunk holds the contribution of every member. True without chunks.
  bool complete() const { return complete_ == sums_.size(); }
  bool finite() const { return finite_; }
  std::vector<double> square_sums() const;  // in chunk order
  std::set<int32_t> WaitsFor() const;       // ranks
  int64_t bytes_held() const;

 private:
  void BeginIfPossible(ChunkNumber chunk, ChunkSum* sum, Operations* operations,
                       std::vector<Effect>* effects);

  const int64_t credit_bytes_;
  std::map<ChunkNumber, ChunkSum> sums_;
  std::map<OperationId, ChunkNumber> reducing_;
  std::vector<int64_t> waiting_bytes_;  // by rank
  size_t complete_ = 0;
  bool finite_ = true;
};

}  // namespace tenor::shard

#endif  // TENOR_SERVER_CORE_SHARD_ROUND_SUMS_H_

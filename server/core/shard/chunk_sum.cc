#include "server/core/shard/chunk_sum.h"

#include "base/check.h"
#include "server/core/shard/rank_order.h"

namespace tenor::shard {

std::vector<Contribution> ChunkSum::Reset(int32_t members) {
  std::vector<Contribution> given_back;
  for (const auto& [rank, contribution] : waiting_) given_back.push_back(contribution);
  waiting_.clear();
  received_.assign(members, false);
  summed_ = 0;
  square_sum_ = 0;
  orphaned_ = busy();
  return given_back;
}

std::optional<int32_t> ChunkSum::NextRank() const {
  if (summed_ == members()) return std::nullopt;
  return RankAt(chunk_, members(), summed_);
}

std::optional<int32_t> ChunkSum::WaitsFor() const {
  const std::optional<int32_t> next = NextRank();
  if (busy() || !next.has_value() || received_[*next]) return std::nullopt;
  return next;
}

void ChunkSum::Take(int32_t rank, const Contribution& contribution) {
  CHECK(!received_[rank]);
  received_[rank] = true;
  waiting_.emplace(rank, contribution);
}

bool ChunkSum::CanBegin() const {
  const std::optional<int32_t> next = NextRank();
  return !busy() && next.has_value() && waiting_.contains(*next);
}

StartReduce ChunkSum::Begin(OperationId operation) {
  CHECK(CanBegin());
  const int32_t rank = *NextRank();
  in_operation_ = waiting_.extract(rank).mapped();
  operation_ = operation;
  orphaned_ = false;
  StartReduce start;
  start.operation = operation;
  start.chunk = chunk_;
  start.buffer = in_operation_.buffer;
  start.codec = in_operation_.codec;
  start.rank = rank;
  start.samples = in_operation_.samples;
  start.first = summed_ == 0;
  start.last = summed_ + 1 == members();
  return start;
}

bool ChunkSum::End(double square_sum) {
  const bool counts = !orphaned_;
  operation_ = OperationId{};
  orphaned_ = false;
  in_operation_ = Contribution{};
  if (counts && ++summed_ == members()) square_sum_ = square_sum;
  return counts;
}

}  // namespace tenor::shard

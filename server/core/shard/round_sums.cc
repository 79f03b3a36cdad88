#include "server/core/shard/round_sums.h"

#include <cmath>

namespace tenor::shard {

RoundSums::RoundSums(const Config& config) : credit_bytes_(config.credit_bytes) {
  for (ChunkNumber c = config.shard; c < config.chunks; c += config.shards) sums_.emplace(c, c);
  complete_ = sums_.size();
}

std::vector<ChunkNumber> RoundSums::chunks() const {
  std::vector<ChunkNumber> chunks;
  for (const auto& [chunk, sum] : sums_) chunks.push_back(chunk);
  return chunks;
}

void RoundSums::Reset(int32_t members, std::vector<Effect>* effects) {
  for (auto& [chunk, sum] : sums_) {
    for (const Contribution& contribution : sum.Reset(members)) {
      if (contribution.buffer != BufferId{}) effects->push_back(ReleaseBuffer{contribution.buffer});
    }
  }
  waiting_bytes_.assign(members, 0);
  complete_ = 0;
  finite_ = true;
}

RoundSums::Offered RoundSums::Offer(ChunkNumber chunk, int32_t rank,
                                    const Contribution& contribution, bool poison,
                                    Operations* operations, std::vector<Effect>* effects) {
  ChunkSum& sum = sums_.at(chunk);
  if (sum.received(rank)) return Offered::kDuplicate;
  const bool credit = contribution.bytes <= credit_bytes_ - waiting_bytes_[rank];
  if (!sum.IsTurn(rank) && !credit) return Offered::kNoCredit;
  sum.Take(rank, contribution);
  waiting_bytes_[rank] += contribution.bytes;
  if (poison) finite_ = false;
  BeginIfPossible(chunk, &sum, operations, effects);
  return Offered::kTaken;
}

void RoundSums::BeginIfPossible(ChunkNumber chunk, ChunkSum* sum, Operations* operations,
                                std::vector<Effect>* effects) {
  if (!sum->CanBegin()) return;
  const OperationId operation = operations->Begin(OperationKind::kReduce);
  reducing_.emplace(operation, chunk);
  const StartReduce start = sum->Begin(operation);
  waiting_bytes_[start.rank] -= sum->bytes_in_operation();
  effects->push_back(start);
}

void RoundSums::OnReduceDone(const ReduceDone& done, Operations* operations,
                             std::vector<Effect>* effects) {
  if (!operations->End(done.operation, OperationKind::kReduce)) return;
  const ChunkNumber chunk = reducing_.extract(done.operation).mapped();
  ChunkSum& sum = sums_.at(chunk);
  if (sum.End(done.square_sum)) {
    if (!done.finite || !std::isfinite(done.square_sum)) finite_ = false;
    if (sum.complete()) ++complete_;
  }
  BeginIfPossible(chunk, &sum, operations, effects);
}

std::vector<double> RoundSums::square_sums() const {
  std::vector<double> result;
  for (const auto& [chunk, sum] : sums_) result.push_back(sum.square_sum());
  return result;
}

std::set<int32_t> RoundSums::WaitsFor() const {
  std::set<int32_t> ranks;
  for (const auto& [chunk, sum] : sums_) {
    if (const std::optional<int32_t> rank = sum.WaitsFor()) ranks.insert(*rank);
  }
  return ranks;
}

int64_t RoundSums::bytes_held() const {
  int64_t bytes = 0;
  for (const int64_t waiting : waiting_bytes_) bytes += waiting;
  for (const auto& [chunk, sum] : sums_) bytes += sum.bytes_in_operation();
  return bytes;
}

}  // namespace tenor::shard

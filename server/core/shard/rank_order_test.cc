#include "server/core/shard/rank_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <vector>

#include "server/core/shard/operations.h"
#include "server/core/shard/round_sums.h"

namespace tenor::shard {
namespace {

TEST(RankOrderTest, EveryRankOnceCyclically) {
  for (const int32_t members : {1, 2, 3, 7, 64}) {
    for (ChunkNumber chunk = 0; chunk < 50; ++chunk) {
      std::set<int32_t> seen;
      for (int32_t position = 0; position < members; ++position) {
        const int32_t rank = RankAt(chunk, members, position);
        seen.insert(rank);
        EXPECT_EQ(RankAt(chunk, members, (position + 1) % members), (rank + 1) % members);
      }
      EXPECT_EQ(seen.size(), static_cast<size_t>(members));
      EXPECT_EQ(*seen.begin(), 0);
    }
  }
}

// One slow member must not be the first of every chunk.
TEST(RankOrderTest, StartsAreSpread) {
  std::map<int32_t, int> starts;
  for (ChunkNumber chunk = 0; chunk < 4000; ++chunk) ++starts[RankAt(chunk, 4, 0)];
  for (int32_t rank = 0; rank < 4; ++rank) {
    EXPECT_GT(starts[rank], 850) << rank;
    EXPECT_LT(starts[rank], 1150) << rank;
  }
}

using Order = std::map<ChunkNumber, std::vector<int32_t>>;

// Sums all chunks on `shards` shards, contributions arriving in an order drawn from `seed` and
// repeated while there is no credit; returns in which order the ranks were added.
Order SumAll(int32_t shards, int32_t members, int64_t credit, uint32_t seed) {
  constexpr ChunkNumber kChunks = 13;
  Order order;
  std::mt19937 random(seed);
  for (int32_t k = 0; k < shards; ++k) {
    Config config;
    config.shard = k;
    config.shards = shards;
    config.chunks = kChunks;
    config.credit_bytes = credit;
    RoundSums sums(config);
    Operations operations;
    std::vector<Effect> effects;
    sums.Reset(members, &effects);
    std::vector<std::pair<ChunkNumber, int32_t>> frames;
    for (const ChunkNumber chunk : sums.chunks()) {
      for (int32_t rank = 0; rank < members; ++rank) frames.emplace_back(chunk, rank);
    }
    for (int attempts = 0; !sums.complete() && attempts < 10000; ++attempts) {
      std::shuffle(frames.begin(), frames.end(), random);
      if (!frames.empty() && (effects.empty() || random() % 2 == 0)) {
        const auto [chunk, rank] = frames.back();
        const Contribution contribution{BufferId{1}, 10, spec::Codec::FP32, 1};
        const auto offered = sums.Offer(chunk, rank, contribution, false, &operations, &effects);
        if (offered == RoundSums::Offered::kTaken) frames.pop_back();
      } else if (!effects.empty()) {
        const StartReduce start = std::get<StartReduce>(effects.front());
        effects.erase(effects.begin());
        order[start.chunk].push_back(start.rank);
        sums.OnReduceDone(ReduceDone{start.operation}, &operations, &effects);
      }
    }
    EXPECT_TRUE(sums.complete()) << "dead-lock with credit " << credit;
    EXPECT_EQ(sums.bytes_held(), 0);
  }
  return order;
}

TEST(RankOrderTest, TheSameForEveryNumberOfShardsAndOrderOfArrival) {
  for (const int32_t members : {1, 2, 5}) {
    const Order expected = SumAll(1, members, 1000, 1);
    for (int32_t shards = 1; shards <= 5; ++shards) {
      for (uint32_t seed = 1; seed <= 5; ++seed) {
        for (const int64_t credit : {0, 10, 25}) {
          EXPECT_EQ(SumAll(shards, members, credit, seed), expected);
        }
      }
    }
  }
}

}  // namespace
}  // namespace tenor::shard

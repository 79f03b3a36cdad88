#ifndef TENOR_SERVER_CORE_SHARD_RANK_ORDER_H_
#define TENOR_SERVER_CORE_SHARD_RANK_ORDER_H_

#include <cstdint>

#include "base/random.h"
#include "server/core/names.h"

namespace tenor::shard {

// The rank whose contribution is the `position`-th one in the sum of a chunk: ranks in order of
// names, cyclically, from a start that depends on the global chunk number alone
// (docs/protocol.md 2.3). So the order of additions is the same for every number of shards, and one
// slow member does not hold back every chunk. REQUIRES: 0 <= position < members.
constexpr int32_t RankAt(ChunkNumber chunk, int32_t members, int32_t position) {
  const uint64_t start = Mix64(static_cast<uint64_t>(chunk)) % static_cast<uint64_t>(members);
  return static_cast<int32_t>((start + static_cast<uint64_t>(position)) %
                              static_cast<uint64_t>(members));
}

}  // namespace tenor::shard

#endif  // TENOR_SERVER_CORE_SHARD_RANK_ORDER_H_

#ifndef TENOR_TESTS_SIM_SUM_ORACLE_H_
#define TENOR_TESTS_SIM_SUM_ORACLE_H_

#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "base/random.h"
#include "server/core/messages.h"
#include "server/core/names.h"
#include "tests/sim/buffers.h"
#include "tests/sim/history.h"

namespace tenor::sim {

// What one shard is about to divide and apply.
struct ChunkSum {
  ChunkNumber chunk = 0;
  std::vector<Contribution> contributions;  // in the order in which they were added
};

struct ShardState {
  int shard = 0;
  Version version = 0;
  uint64_t weights = 0;  // hashes
  uint64_t moments = 0;

  uint64_t hash() const { return Mix64(weights) ^ moments; }
};

// Invariants 1 to 4: what shards sum, in which order they finish rounds, and that one name means
// one bit pattern. Single-threaded.
class SumOracle {
 public:
  explicit SumOracle(History* history) : history_(history) {}

  // The sums of `label` are used for the first time (Norms or Apply); `before` is the state that
  // they will change.
  void OnSums(const Label& label, const ShardState& before, std::span<const ChunkSum> sums);
  // A shard applied a round; `after` is its state then.
  void OnApplied(const Label& label, const ShardState& after);
  // What a shard says of itself.
  void OnStatus(const Status& status);
  void OnLoaded(Lineage lineage, Round base_round, const ShardState& state);

  // Hash of (g, v) on a shard; 0 = it never existed.
  uint64_t HashOf(Lineage lineage, Version version, int shard) const;

 private:
  void CheckChunk(const Verdict& verdict, const ShardState& before, const ChunkSum& sum);
  void CheckContribution(const Verdict& verdict, const ShardState& before,
                         const Contribution& contribution);
  void CheckFinished(Lineage lineage, Round round, int shard);
  void Name(Lineage lineage, const ShardState& state);

  History* const history_;
  std::map<std::tuple<Lineage, Version, int>, uint64_t> hashes_;
  struct Progress {
    Round finished = 0;
    Round applied = 0;  // newest
  };
  std::map<std::pair<Lineage, int>, Progress> progress_;
};

}  // namespace tenor::sim

#endif  // TENOR_TESTS_SIM_SUM_ORACLE_H_

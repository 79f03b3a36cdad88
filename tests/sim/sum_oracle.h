#ifndef TENOR_TESTS_SIM_SUM_ORACLE_H_
#define TENOR_TESTS_SIM_SUM_ORACLE_H_

#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

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
  uint64_t hash = 0;  // of masters and moments
};

// Invariants 1 to 4: what shards sum, in which order they finish rounds, and that one name means one
// bit pattern. Single-threaded.
class SumOracle {
 public:
  explicit SumOracle(History* history) : history_(history) {}

  // The sums of `label` are used for the first time (Norms or Apply); `before` is the state that they
  // will change.
  void OnSums(const Label& label, const ShardState& before, std::span<const ChunkSum> sums);
  // A shard finished a round. `hash` is its state after it.
  void OnFinished(const Label& label, VerdictKind kind, const ShardState& after);
  void OnLoaded(Lineage lineage, Round base_round, const ShardState& state);

  // Hash of (g, v) on a shard; 0 = it never existed.
  uint64_t HashOf(Lineage lineage, Version version, int shard) const;

 private:
  void CheckChunk(const Verdict& verdict, const ShardState& before, const ChunkSum& sum);
  void CheckContribution(const Verdict& verdict, const ShardState& before,
                         const Contribution& contribution);
  void Name(Lineage lineage, const ShardState& state);

  History* const history_;
  std::map<std::tuple<Lineage, Version, int>, uint64_t> hashes_;
  std::map<std::pair<Lineage, int>, Round> finished_;
};

}  // namespace tenor::sim

#endif  // TENOR_TESTS_SIM_SUM_ORACLE_H_

#ifndef TENOR_TESTS_SIM_SEED_RUN_H_
#define TENOR_TESTS_SIM_SEED_RUN_H_

#include <cstdint>
#include <string>

#include "tests/sim/history.h"
#include "tests/sim/world.h"

namespace tenor::sim {

struct SeedResult {
  Violation violation;  // empty invariant = all held
  Figures figures;
};

// One seed from its plan to past its end. `trace` may be nullptr.
SeedResult RunSeed(uint64_t seed, std::string* trace);

// Invariant 14: the same seed gives the same trace twice.
Violation CheckRepeatable(uint64_t seed);

// Sums views, evictions and lineages of all coordinators of a run into its figures.
void CollectFigures(World* world);

}  // namespace tenor::sim

#endif  // TENOR_TESTS_SIM_SEED_RUN_H_

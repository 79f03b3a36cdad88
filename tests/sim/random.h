#ifndef TENOR_TESTS_SIM_RANDOM_H_
#define TENOR_TESTS_SIM_RANDOM_H_

#include <cstdint>

#include "base/random.h"

namespace tenor::sim {

// The simulation's only source of chance: a counter over one stream of one seed. Single-threaded.
class Random {
 public:
  Random(uint64_t seed, uint64_t stream) : seed_(seed), stream_(stream) {}

  uint64_t Bits() { return RandomBits(seed_, stream_, index_++); }
  // In [0, bound); 0 for a bound below 2.
  int Below(int bound) { return bound < 2 ? 0 : static_cast<int>(UniformBelow(Bits(), bound)); }
  // In [low, high].
  int Range(int low, int high) { return low + Below(high - low + 1); }
  bool Chance(double probability) { return UniformDouble(Bits()) < probability; }

 private:
  const uint64_t seed_;
  const uint64_t stream_;
  uint64_t index_ = 0;
};

}  // namespace tenor::sim

#endif  // TENOR_TESTS_SIM_RANDOM_H_

#ifndef TENOR_BASE_RANDOM_H_
#define TENOR_BASE_RANDOM_H_

#include <cstdint>

// Counter-based random numbers: pure functions of (seed, stream, index), so that any thread or
// process can draw the i-th number without the ones before it, and a replay draws the same.
// Not for secrets.

namespace tenor {

// A bijection of 64 bits that scatters its input: the output function of SplitMix64 (Steele, Lea,
// Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014) with its increment, so that
// Mix64(0) is not 0.
constexpr uint64_t Mix64(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

// 64 random bits. `stream` separates uses of one seed (a tensor, a layer, a purpose).
constexpr uint64_t RandomBits(uint64_t seed, uint64_t stream, uint64_t index) {
  return Mix64(Mix64(Mix64(seed) ^ stream) ^ index);
}

// In [0, 1), from the upper 24 bits.
constexpr float UniformFloat(uint64_t bits) { return static_cast<float>(bits >> 40) * 0x1p-24f; }

// In [0, 1), from the upper 53 bits.
constexpr double UniformDouble(uint64_t bits) { return static_cast<double>(bits >> 11) * 0x1p-53; }

// In [0, bound), 0 for bound 0. The bias is under bound / 2^64.
constexpr uint64_t UniformBelow(uint64_t bits, uint64_t bound) {
  return static_cast<uint64_t>((static_cast<__uint128_t>(bits) * bound) >> 64);
}

// Standard normal (Box and Muller, 1958), computed in double; within [-8.6, 8.6].
float NormalFloat(uint64_t seed, uint64_t stream, uint64_t index);

}  // namespace tenor

#endif  // TENOR_BASE_RANDOM_H_

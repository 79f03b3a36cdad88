#include "base/random.h"

#include <cmath>
#include <cstdint>
#include <numbers>

namespace tenor {

float NormalFloat(uint64_t seed, uint64_t stream, uint64_t index) {
  const uint64_t bits = RandomBits(seed, stream, index);
  // 1 - u lies in (0, 1], where the logarithm is finite.
  const double radius = std::sqrt(-2.0 * std::log(1.0 - UniformDouble(bits)));
  const double angle = 2.0 * std::numbers::pi * UniformDouble(Mix64(bits));
  return static_cast<float>(radius * std::cos(angle));
}

}  // namespace tenor

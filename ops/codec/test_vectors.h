#ifndef TENOR_OPS_CODEC_TEST_VECTORS_H_
#define TENOR_OPS_CODEC_TEST_VECTORS_H_

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

// Inputs on which vector and scalar code are likely to differ, for the tests of the codecs.

namespace tenor {

inline std::vector<float> FiniteSpecials() {
  using Limits = std::numeric_limits<float>;
  return {0.0f,         -0.0f,         1.0f,         -1.0f,           Limits::denorm_min(),
          -0x1p-149f,   0x1.8p-148f,   0x1p-127f,    -0x1.8p-130f,    Limits::min(),
          -0x1p-126f,   0x1p-25f,      0x1.8p-25f,   0x1.000002p-25f, 0x1p-24f,
          0x1.8p-24f,   0x1p-14f,      0x1.ffcp-15f, 0x1.ffep-15f,    0x1.002p0f,
          0x1.006p0f,   0x1.0021p0f,   0x1.001fp0f,  65504.0f,        65519.0f,
          65520.0f,     -65536.0f,     0x1p127f,     Limits::max(),   -Limits::max(),
          0x1.ffep127f, 0x1.ffdfp127f, 3.1415927f,   1e-20f,          -1e20f};
}

inline std::vector<float> AllSpecials() {
  std::vector<float> values = FiniteSpecials();
  values.push_back(std::numeric_limits<float>::infinity());
  values.push_back(-std::numeric_limits<float>::infinity());
  values.push_back(std::numeric_limits<float>::quiet_NaN());
  values.push_back(std::bit_cast<float>(0xffc12345u));
  return values;
}

// Magnitudes spread evenly in the exponent over [2^low, 2^high).
inline std::vector<float> RandomFloats(size_t count, uint32_t seed, float low, float high) {
  std::mt19937 bits(seed);
  std::vector<float> values(count);
  for (float& value : values) {
    const float unit = static_cast<float>(bits() >> 8) * 0x1p-24f;
    value = std::exp2(low + (high - low) * unit);
    if ((bits() & 1u) != 0) value = -value;
  }
  return values;
}

inline std::vector<uint32_t> Bits(const std::vector<float>& values) {
  std::vector<uint32_t> bits;
  for (const float value : values) bits.push_back(std::bit_cast<uint32_t>(value));
  return bits;
}

}  // namespace tenor

#endif  // TENOR_OPS_CODEC_TEST_VECTORS_H_

#ifndef TENOR_OPS_CODEC_HALF_H_
#define TENOR_OPS_CODEC_HALF_H_

#include <bit>
#include <cstdint>

// IEEE 754 binary16 ("half") in integer arithmetic: the reference that every vector path must equal
// bit by bit. Pure and thread-safe.

namespace tenor {

// Nearest half, ties to even; halves below 2^-14 are denormal; 65520 and above become infinity. A
// NaN keeps its sign and the upper bits of its payload and becomes quiet, as VCVTPS2PH does it.
inline uint16_t HalfFromFloat(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  const uint32_t sign = (bits >> 16) & 0x8000u;
  const uint32_t magnitude = bits & 0x7fffffffu;
  uint32_t half;
  if (magnitude > 0x7f800000u) {
    half = 0x7e00u | ((magnitude >> 13) & 0x1ffu);
  } else if (magnitude >= 0x47800000u) {
    half = 0x7c00u;
  } else if (magnitude < 0x38800000u) {
    // Adding 0.5 leaves the value in units of 2^-24, rounded by the addition itself.
    const float shifted = std::bit_cast<float>(magnitude) + 0.5f;
    half = std::bit_cast<uint32_t>(shifted) - 0x3f000000u;
  } else {
    // The bias goes from 127 to 15; a carry out of the mantissa rightly raises the exponent.
    const uint32_t odd = (magnitude >> 13) & 1u;
    half = (magnitude - 0x38000000u + 0xfffu + odd) >> 13;
  }
  return static_cast<uint16_t>(sign | half);
}

// Exact. A NaN keeps sign and payload and becomes quiet, as VCVTPH2PS does it.
inline float FloatFromHalf(uint16_t half) {
  const uint32_t sign = (half & 0x8000u) << 16;
  const uint32_t magnitude = half & 0x7fffu;
  uint32_t bits;
  if (magnitude > 0x7c00u) {
    bits = 0x7fc00000u | (magnitude << 13);
  } else if (magnitude == 0x7c00u) {
    bits = 0x7f800000u;
  } else if (magnitude < 0x400u) {
    bits = std::bit_cast<uint32_t>(static_cast<float>(static_cast<int32_t>(magnitude)) * 0x1p-24f);
  } else {
    bits = (magnitude << 13) + 0x38000000u;
  }
  return std::bit_cast<float>(sign | bits);
}

}  // namespace tenor

#endif  // TENOR_OPS_CODEC_HALF_H_

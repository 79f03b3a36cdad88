// Elementary functions that compilers turn into vector code: no branch, no call, no table.
// Relative errors are against double; a NaN gives a NaN.
#ifndef TENOR_OPS_VECTOR_MATH_H_
#define TENOR_OPS_VECTOR_MATH_H_

#include <bit>
#include <cstdint>

#include "ops/cpu_isa.h"

namespace tenor {

// e^x, relative error under 2e-7, for x in [-87, 88]; beyond them x counts as the end, so the
// result is never zero, denormal or infinite. Reduction and polynomial: Cephes expf (Moshier,
// 1992).
TENOR_KERNEL float FastExp(float x) {
  constexpr float kRound =
      12582912.0f;  // 1.5 * 2^23: adding it rounds to an integer in the low bits.
  x = x < -87.0f ? -87.0f : x;
  x = x > 88.0f ? 88.0f : x;
  const float shifted = x * 1.44269504088896341f + kRound;
  const float n = shifted - kRound;
  const float r = (x - n * 0.693359375f) - n * -2.12194440e-4f;
  float p = 1.9875691500e-4f;
  p = p * r + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  p = p * (r * r) + r + 1.0f;
  const uint32_t exponent = (std::bit_cast<uint32_t>(shifted) << 23) + 0x3F800000u;
  return p * std::bit_cast<float>(exponent);
}

// 1 / (1 + e^-x), relative error under 4e-7 for x >= -87.
TENOR_KERNEL float FastSigmoid(float x) { return 1.0f / (1.0f + FastExp(-x)); }

// Relative error under 4e-7. Polynomial near zero: Cephes tanhf (Moshier, 1992).
TENOR_KERNEL float FastTanh(float x) {
  const float z = x * x;
  float p = -5.70498872745e-3f;
  p = p * z + 2.06390887954e-2f;
  p = p * z - 5.37397155531e-2f;
  p = p * z + 1.33314422036e-1f;
  p = p * z - 3.33332819422e-1f;
  const float small = p * z * x + x;
  const float magnitude = std::bit_cast<float>(std::bit_cast<uint32_t>(x) & 0x7FFFFFFFu);
  const float large = 1.0f - 2.0f / (FastExp(2.0f * magnitude) + 1.0f);
  const uint32_t sign = std::bit_cast<uint32_t>(x) & 0x80000000u;
  const float signed_large = std::bit_cast<float>(std::bit_cast<uint32_t>(large) | sign);
  return magnitude < 0.625f ? small : signed_large;
}

}  // namespace tenor

#endif  // TENOR_OPS_VECTOR_MATH_H_

// Element types that operators compute with.
#ifndef TENOR_OPS_DATA_TYPE_H_
#define TENOR_OPS_DATA_TYPE_H_

#include <bit>
#include <cstddef>
#include <cstdint>

namespace tenor {

enum class DataType { kFloat32, kBFloat16 };

// The upper half of an IEEE binary32. Storage only: arithmetic is done in float.
struct BFloat16 {
  uint16_t bits = 0;
};

inline constexpr size_t SizeOf(DataType type) { return type == DataType::kFloat32 ? 4 : 2; }

inline constexpr const char* NameOf(DataType type) {
  return type == DataType::kFloat32 ? "FP32" : "BF16";
}

// Rounds to nearest, ties to even. A NaN stays a NaN.
inline BFloat16 ToBFloat16(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  const uint32_t rounded = (bits + 0x7FFFu + ((bits >> 16) & 1u)) >> 16;
  const uint32_t quiet_nan = (bits >> 16) | 0x40u;
  const bool is_nan = (bits & 0x7FFFFFFFu) > 0x7F800000u;
  return BFloat16{static_cast<uint16_t>(is_nan ? quiet_nan : rounded)};
}

inline float ToFloat(BFloat16 value) {
  return std::bit_cast<float>(static_cast<uint32_t>(value.bits) << 16);
}
inline float ToFloat(float value) { return value; }

// Stores `value` in the element type of `*out`.
inline void Store(float value, float* out) { *out = value; }
inline void Store(float value, BFloat16* out) { *out = ToBFloat16(value); }

}  // namespace tenor

#endif  // TENOR_OPS_DATA_TYPE_H_

#ifndef TENOR_OPS_CODEC_FP32_H_
#define TENOR_OPS_CODEC_FP32_H_

#include <cstddef>
#include <span>

#include "ops/cpu/instruction_set.h"

// Codec fp32: the elements as IEEE 754 binary32, little-endian, 4 n bytes (persistent format).
// Exact, with every NaN and signed zero. Pure and thread-safe.
//
// Example: {1.0, -0.25}: 00 00 80 3f  00 00 80 be.

namespace tenor {

constexpr size_t Fp32EncodedSize(size_t elements) { return 4 * elements; }

// REQUIRES: bytes.size() == Fp32EncodedSize(values.size()), no overlap; `bytes` need no alignment.
void Fp32Encode(std::span<const float> values, std::span<std::byte> bytes);
void Fp32Decode(std::span<const std::byte> bytes, std::span<float> out);
void Fp32DecodeAdd(InstructionSet set, std::span<const std::byte> bytes, std::span<float> sum);

}  // namespace tenor

#endif  // TENOR_OPS_CODEC_FP32_H_

#ifndef TENOR_OPS_CODEC_FP16_H_
#define TENOR_OPS_CODEC_FP16_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "ops/cpu/instruction_set.h"

// Codec fp16. The bytes, little-endian (persistent format):
//
//     frame    := exponent half*          2 + 2 n bytes for n elements
//     exponent := int16, -125 .. 113
//     half     := IEEE 754 binary16; the element is half * 2^exponent
//
// The encoder takes the exponent that brings the largest magnitude of the frame into
// [2^14, 2^15), never below -125. So a finite element never becomes infinite; elements down to
// 2^-28 of the largest keep 11 significant bits, and below that the error is at most 2^-39 of the
// largest. Every half times every power in the range is an FP32 number, so decoding is exact and
// encoding rounds once (to nearest, ties to even). Elements of the largest exponent that would
// round to 2^128 become (2 - 2^-10) 2^127.
//
// Example: {1.0, -0.25, 0.0}: the largest is 2^0, the exponent 0 - 14 = -14, the halves are
// 2^14 = 0x7400, -2^12 = 0xec00, 0 = 0x0000. Bytes: f2 ff  00 74  00 ec  00 00.
//
// All functions are pure and thread-safe; every instruction set gives the same bits.

namespace tenor {

inline constexpr int kFp16MinExponent = -125;
inline constexpr int kFp16MaxExponent = 113;
inline constexpr size_t kFp16HeaderBytes = 2;

constexpr size_t Fp16EncodedSize(size_t elements) { return kFp16HeaderBytes + 2 * elements; }

// The exponent for a frame whose largest magnitude has these bits (PeakMagnitudeBits).
int Fp16Exponent(uint32_t peak_bits);

// Writes the frame. `peak_bits` is PeakMagnitudeBits(values). An element that is not finite is
// written as a half that is not finite. REQUIRES: bytes.size() == Fp16EncodedSize(values.size()).
void Fp16Encode(InstructionSet set, std::span<const float> values, uint32_t peak_bits,
                std::span<std::byte> bytes);

// The frame's exponent, or nothing when it is out of range. REQUIRES: at least 2 bytes.
std::optional<int> Fp16ReadExponent(std::span<const std::byte> bytes);

// out[i] = element i, or sum[i] += element i.
// REQUIRES: bytes.size() == Fp16EncodedSize(out.size()) and an exponent in range.
void Fp16Decode(InstructionSet set, std::span<const std::byte> bytes, std::span<float> out);
void Fp16DecodeAdd(InstructionSet set, std::span<const std::byte> bytes, std::span<float> sum);

}  // namespace tenor

#endif  // TENOR_OPS_CODEC_FP16_H_

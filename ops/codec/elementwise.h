#ifndef TENOR_OPS_CODEC_ELEMENTWISE_H_
#define TENOR_OPS_CODEC_ELEMENTWISE_H_

#include <cstdint>
#include <span>

#include "ops/cpu/instruction_set.h"

// Passes over FP32 vectors that several codecs, the finite check and the gradient norm share. Every
// instruction set gives the same bits. All functions are pure and thread-safe.

namespace tenor {

// True when no element is infinite or NaN. True for an empty span.
bool AllFinite(std::span<const float> values);
bool AllFinite(InstructionSet set, std::span<const float> values);

// Sum of the squares in FP64. The order of the additions is part of the contract:
//   lane j of 16 adds x[j]^2, x[j + 16]^2, x[j + 32]^2 ... in this order, starting from 0;
//   then lane j += lane j + 8 for j < 8, lane j += lane j + 4 for j < 4, and so on; lane 0 is it.
// A square of an FP32 number is exact in FP64, so nothing else rounds. Not finite when an element
// is not finite. Overflow is impossible: the largest square is below 2^256.
double SumOfSquares(std::span<const float> values);
double SumOfSquares(InstructionSet set, std::span<const float> values);

// The largest |x| as the bits of an FP32 number (their order as integers is the order of the
// magnitudes; infinity and NaN come last): 0x7f800000 or more when an element is not finite. 0 for
// an empty span.
uint32_t PeakMagnitudeBits(InstructionSet set, std::span<const float> values);

// g[i] += n * q[i], product and sum rounded one by one. REQUIRES: equal lengths.
void AddScaled(InstructionSet set, float n, std::span<const float> q, std::span<float> g);

}  // namespace tenor

#endif  // TENOR_OPS_CODEC_ELEMENTWISE_H_

#include "ops/codec/elementwise.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "ops/cpu/instruction_set.h"

namespace tenor {
namespace {

constexpr int32_t kMagnitudeMask = 0x7fffffff;
constexpr uint32_t kInfinityBits = 0x7f800000;
constexpr size_t kLanes = 16;

struct PeakKernel {
  // Magnitudes fit in a signed integer, whose maximum every instruction set can form.
  TENOR_KERNEL_BODY uint32_t Run(const float* values, size_t count) {
    int32_t peak = 0;
    for (size_t i = 0; i < count; ++i) {
      int32_t bits;
      std::memcpy(&bits, values + i, sizeof(bits));
      bits &= kMagnitudeMask;
      peak = bits > peak ? bits : peak;
    }
    return static_cast<uint32_t>(peak);
  }
};

struct SumOfSquaresKernel {
  TENOR_KERNEL_BODY double Run(const float* values, size_t count) {
    double lane[kLanes] = {};
    size_t i = 0;
    for (; i + kLanes <= count; i += kLanes) {
      for (size_t j = 0; j < kLanes; ++j) lane[j] += Square(values[i + j]);
    }
    for (size_t j = 0; i + j < count; ++j) lane[j] += Square(values[i + j]);
    for (size_t half = kLanes / 2; half > 0; half /= 2) {
      for (size_t j = 0; j < half; ++j) lane[j] += lane[j + half];
    }
    return lane[0];
  }

  TENOR_KERNEL_BODY double Square(float x) {
    return static_cast<double>(x) * static_cast<double>(x);
  }
};

struct AddScaledKernel {
  TENOR_KERNEL_BODY void Run(float n, const float* q, float* g, size_t count) {
    for (size_t i = 0; i < count; ++i) g[i] += n * q[i];
  }
};

}  // namespace

uint32_t PeakMagnitudeBits(InstructionSet set, std::span<const float> values) {
  return RunKernel<PeakKernel>(set, values.data(), values.size());
}

bool AllFinite(InstructionSet set, std::span<const float> values) {
  return PeakMagnitudeBits(set, values) < kInfinityBits;
}

bool AllFinite(std::span<const float> values) { return AllFinite(BestInstructionSet(), values); }

double SumOfSquares(InstructionSet set, std::span<const float> values) {
  return RunKernel<SumOfSquaresKernel>(set, values.data(), values.size());
}

double SumOfSquares(std::span<const float> values) {
  return SumOfSquares(BestInstructionSet(), values);
}

void AddScaled(InstructionSet set, float n, std::span<const float> q, std::span<float> g) {
  RunKernel<AddScaledKernel>(set, n, q.data(), g.data(), g.size());
}

}  // namespace tenor

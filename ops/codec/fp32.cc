#include "ops/codec/fp32.h"

#include <bit>
#include <cstddef>
#include <cstring>
#include <span>

#include "ops/cpu/instruction_set.h"

namespace tenor {
namespace {

static_assert(std::endian::native == std::endian::little, "the frame is little-endian");

struct DecodeAddKernel {
  TENOR_KERNEL_BODY void Run(const std::byte* bytes, float* sum, size_t count) {
    for (size_t i = 0; i < count; ++i) {
      float x;
      std::memcpy(&x, bytes + sizeof(x) * i, sizeof(x));
      sum[i] += x;
    }
  }
};

}  // namespace

void Fp32Encode(std::span<const float> values, std::span<std::byte> bytes) {
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
}

void Fp32Decode(std::span<const std::byte> bytes, std::span<float> out) {
  if (!out.empty()) std::memcpy(out.data(), bytes.data(), bytes.size());
}

void Fp32DecodeAdd(InstructionSet set, std::span<const std::byte> bytes, std::span<float> sum) {
  RunKernel<DecodeAddKernel>(set, bytes.data(), sum.data(), sum.size());
}

}  // namespace tenor

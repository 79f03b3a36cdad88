#include "ops/codec/fp16.h"

#include <immintrin.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <span>

#include "ops/codec/half.h"
#include "ops/cpu/instruction_set.h"

namespace tenor {
namespace {

static_assert(std::endian::native == std::endian::little, "the frame is little-endian");

constexpr uint32_t kInfinityBits = 0x7f800000;
// The largest magnitude is brought into [2^14, 2^15): rounding up reaches 2^15 at most.
constexpr int kPeakExponent = 14;

float PowerOfTwo(int exponent) {
  return std::bit_cast<float>(static_cast<uint32_t>(exponent + 127) << 23);
}

// The largest magnitude that may be written: only the highest exponent needs a limit, since there
// 2^15 would decode to 2^128.
float HalfLimit(int exponent, uint32_t peak_bits) {
  if (peak_bits >= kInfinityBits) return std::numeric_limits<float>::infinity();
  return exponent == kFp16MaxExponent ? 32752.0f : 32768.0f;
}

float LoadHalf(const std::byte* bytes) {
  uint16_t half;
  std::memcpy(&half, bytes, sizeof(half));
  return FloatFromHalf(half);
}

// The order of the comparisons lets a NaN through, like MINPS and MAXPS with the limit first.
float Clamp(float limit, float x) {
  x = limit < x ? limit : x;
  return -limit > x ? -limit : x;
}

void EncodePortable(const float* in, size_t count, float scale, float limit, std::byte* out) {
  for (size_t i = 0; i < count; ++i) {
    const uint16_t half = HalfFromFloat(Clamp(limit, in[i] * scale));
    std::memcpy(out + 2 * i, &half, sizeof(half));
  }
}

TENOR_TARGET_AVX2 size_t EncodeAvx2(const float* in, size_t count, float scale, float limit,
                                    std::byte* out) {
  const __m256 scales = _mm256_set1_ps(scale);
  const __m256 high = _mm256_set1_ps(limit);
  const __m256 low = _mm256_set1_ps(-limit);
  size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    __m256 x = _mm256_mul_ps(_mm256_loadu_ps(in + i), scales);
    x = _mm256_max_ps(low, _mm256_min_ps(high, x));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out + 2 * i),
                     _mm256_cvtps_ph(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
  }
  return i;
}

template <bool kAdd>
void DecodePortable(const std::byte* in, size_t count, float scale, float* out) {
  for (size_t i = 0; i < count; ++i) {
    const float x = LoadHalf(in + 2 * i) * scale;
    out[i] = kAdd ? out[i] + x : x;
  }
}

template <bool kAdd>
TENOR_TARGET_AVX2 size_t DecodeAvx2(const std::byte* in, size_t count, float scale, float* out) {
  const __m256 scales = _mm256_set1_ps(scale);
  size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    const __m128i halves = _mm_loadu_si128(reinterpret_cast<const __m128i*>(in + 2 * i));
    __m256 x = _mm256_mul_ps(_mm256_cvtph_ps(halves), scales);
    if (kAdd) x = _mm256_add_ps(_mm256_loadu_ps(out + i), x);
    _mm256_storeu_ps(out + i, x);
  }
  return i;
}

// The vector path does whole vectors and says how far it came; the portable one does the rest.
template <bool kAdd>
void DecodeAny(InstructionSet set, std::span<const std::byte> bytes, std::span<float> out) {
  const float scale = PowerOfTwo(Fp16ReadExponent(bytes).value_or(0));
  const std::byte* in = bytes.data() + kFp16HeaderBytes;
  const size_t count = out.size();
  size_t done = 0;
  if (set == InstructionSet::kAvx2) done = DecodeAvx2<kAdd>(in, count, scale, out.data());
  DecodePortable<kAdd>(in + 2 * done, count - done, scale, out.data() + done);
}

}  // namespace

int Fp16Exponent(uint32_t peak_bits) {
  const int peak_exponent = static_cast<int>(peak_bits >> 23) - 127;
  return std::clamp(peak_exponent - kPeakExponent, kFp16MinExponent, kFp16MaxExponent);
}

void Fp16Encode(InstructionSet set, std::span<const float> values, uint32_t peak_bits,
                std::span<std::byte> bytes) {
  const int exponent = Fp16Exponent(peak_bits);
  const int16_t stored = static_cast<int16_t>(exponent);
  std::memcpy(bytes.data(), &stored, sizeof(stored));
  const float scale = PowerOfTwo(-exponent);
  const float limit = HalfLimit(exponent, peak_bits);
  std::byte* out = bytes.data() + kFp16HeaderBytes;
  const float* in = values.data();
  const size_t count = values.size();
  size_t done = 0;
  if (set == InstructionSet::kAvx2) done = EncodeAvx2(in, count, scale, limit, out);
  EncodePortable(in + done, count - done, scale, limit, out + 2 * done);
}

std::optional<int> Fp16ReadExponent(std::span<const std::byte> bytes) {
  int16_t stored;
  std::memcpy(&stored, bytes.data(), sizeof(stored));
  if (stored < kFp16MinExponent || stored > kFp16MaxExponent) return std::nullopt;
  return stored;
}

void Fp16Decode(InstructionSet set, std::span<const std::byte> bytes, std::span<float> out) {
  DecodeAny<false>(set, bytes, out);
}

void Fp16DecodeAdd(InstructionSet set, std::span<const std::byte> bytes, std::span<float> sum) {
  DecodeAny<true>(set, bytes, sum);
}

}  // namespace tenor

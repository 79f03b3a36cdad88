#include "ops/codec/fp16.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "gtest/gtest.h"
#include "ops/codec/elementwise.h"
#include "ops/codec/half.h"
#include "ops/codec/test_vectors.h"
#include "ops/cpu/instruction_set.h"

namespace tenor {
namespace {

std::vector<std::byte> EncodeWith(InstructionSet set, const std::vector<float>& values) {
  std::vector<std::byte> bytes(Fp16EncodedSize(values.size()));
  Fp16Encode(set, values, PeakMagnitudeBits(set, values), bytes);
  return bytes;
}

std::vector<float> DecodeWith(InstructionSet set, const std::vector<std::byte>& bytes) {
  std::vector<float> values((bytes.size() - kFp16HeaderBytes) / 2);
  Fp16Decode(set, bytes, values);
  return values;
}

std::vector<float> RoundTrip(InstructionSet set, const std::vector<float>& values) {
  return DecodeWith(set, EncodeWith(set, values));
}

// A frame of every half there is, under the given exponent.
std::vector<std::byte> FrameOfAllHalves(int exponent) {
  std::vector<std::byte> bytes(Fp16EncodedSize(65536));
  const int16_t stored = static_cast<int16_t>(exponent);
  std::memcpy(bytes.data(), &stored, 2);
  for (size_t i = 0; i < 65536; ++i) {
    const uint16_t half = static_cast<uint16_t>(i);
    std::memcpy(bytes.data() + 2 + 2 * i, &half, 2);
  }
  return bytes;
}

// The value of a half from the definition of the format, in FP64.
double ValueOfHalf(uint32_t half) {
  const int exponent = static_cast<int>((half >> 10) & 31);
  const int mantissa = static_cast<int>(half & 1023);
  const double magnitude =
      exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25);
  return (half & 0x8000) != 0 ? -magnitude : magnitude;
}

TEST(HalfTest, EveryFiniteHalfHasTheValueOfItsDefinitionAndComesBack) {
  for (uint32_t half = 0; half < 65536; ++half) {
    if ((half & 0x7c00) == 0x7c00) continue;
    const float value = FloatFromHalf(static_cast<uint16_t>(half));
    EXPECT_EQ(static_cast<double>(value), ValueOfHalf(half));
    EXPECT_EQ(HalfFromFloat(value), half);
  }
}

TEST(HalfTest, RoundsToNearestAndTiesToEvenBetweenAllNeighbours) {
  for (uint32_t half = 0; half < 0x7bff; ++half) {
    const double middle = (ValueOfHalf(half) + ValueOfHalf(half + 1)) / 2;
    const float tie = static_cast<float>(middle);
    ASSERT_EQ(static_cast<double>(tie), middle);
    EXPECT_EQ(HalfFromFloat(tie), half + (half & 1));
    EXPECT_EQ(HalfFromFloat(-tie), (half + (half & 1)) | 0x8000);
    EXPECT_EQ(HalfFromFloat(std::nextafter(tie, 0.0f)), half);
    EXPECT_EQ(HalfFromFloat(std::nextafter(tie, 1e9f)), half + 1);
  }
}

TEST(HalfTest, TooLargeIsInfiniteAndNotANumberStaysSo) {
  EXPECT_EQ(HalfFromFloat(65519.996f), 0x7bff);
  EXPECT_EQ(HalfFromFloat(65520.0f), 0x7c00);
  EXPECT_EQ(HalfFromFloat(-std::numeric_limits<float>::infinity()), 0xfc00);
  EXPECT_EQ(HalfFromFloat(std::bit_cast<float>(0xff802000u)), 0xfe01);
  EXPECT_EQ(std::bit_cast<uint32_t>(FloatFromHalf(0xfc01)), 0xffc02000u);
  EXPECT_EQ(FloatFromHalf(0x7c00), std::numeric_limits<float>::infinity());
}

TEST(Fp16FormatTest, WorkedExample) {
  const std::vector<float> values = {1.0f, -0.25f, 0.0f};
  const unsigned char expected[] = {0xf2, 0xff, 0x00, 0x74, 0x00, 0xec, 0x00, 0x00};
  const std::vector<std::byte> bytes = EncodeWith(InstructionSet::kPortable, values);
  ASSERT_EQ(bytes.size(), sizeof(expected));
  EXPECT_EQ(std::memcmp(bytes.data(), expected, sizeof(expected)), 0);
}

TEST(Fp16FormatTest, ExponentFollowsThePeakWithinItsRange) {
  const auto exponent = [](float peak) { return Fp16Exponent(std::bit_cast<uint32_t>(peak)); };
  EXPECT_EQ(exponent(1.0f), -14);
  EXPECT_EQ(exponent(1.999f), -14);
  EXPECT_EQ(exponent(2.0f), -13);
  EXPECT_EQ(exponent(std::numeric_limits<float>::max()), kFp16MaxExponent);
  EXPECT_EQ(exponent(std::numeric_limits<float>::infinity()), kFp16MaxExponent);
  EXPECT_EQ(exponent(0x1p-111f), kFp16MinExponent);
  EXPECT_EQ(exponent(0x1p-149f), kFp16MinExponent);
  EXPECT_EQ(exponent(0.0f), kFp16MinExponent);
}

TEST(Fp16FormatTest, ExponentOutsideTheRangeIsNotRead) {
  for (int exponent = -32768; exponent <= 32767; ++exponent) {
    std::byte bytes[2];
    const int16_t stored = static_cast<int16_t>(exponent);
    std::memcpy(bytes, &stored, 2);
    const bool valid = exponent >= kFp16MinExponent && exponent <= kFp16MaxExponent;
    EXPECT_EQ(Fp16ReadExponent(bytes).has_value(), valid);
  }
}

class Fp16Test : public testing::TestWithParam<InstructionSet> {};

TEST_P(Fp16Test, EncodesAsThePortablePathAtEveryLength) {
  for (size_t length = 0; length <= 70; ++length) {
    for (uint32_t seed = 0; seed < 8; ++seed) {
      const std::vector<float> values = RandomFloats(length, seed, -45, 5);
      EXPECT_EQ(EncodeWith(GetParam(), values), EncodeWith(InstructionSet::kPortable, values));
    }
  }
}

// Each special value in each place of a vector, under peaks that reach every scale.
TEST_P(Fp16Test, EncodesSpecialValuesAsThePortablePath) {
  const std::vector<float> specials = AllSpecials();
  for (const float peak : {0x1p-149f, 0x1p-111f, 0x1p-20f, 1.0f, 65519.0f, 0x1.ffep127f}) {
    for (size_t shift = 0; shift < 16; ++shift) {
      std::vector<float> values(shift, peak);
      values.insert(values.end(), specials.begin(), specials.end());
      EXPECT_EQ(EncodeWith(GetParam(), values), EncodeWith(InstructionSet::kPortable, values));
      for (const float special : specials) {
        std::vector<float> one(17, peak);
        one[shift] = special;
        EXPECT_EQ(EncodeWith(GetParam(), one), EncodeWith(InstructionSet::kPortable, one));
      }
    }
  }
}

TEST_P(Fp16Test, DecodesEveryHalfUnderEveryExponentAsThePortablePath) {
  for (int exponent = kFp16MinExponent; exponent <= kFp16MaxExponent; exponent += 17) {
    const std::vector<std::byte> frame = FrameOfAllHalves(exponent);
    EXPECT_EQ(Bits(DecodeWith(GetParam(), frame)),
              Bits(DecodeWith(InstructionSet::kPortable, frame)));
  }
}

TEST_P(Fp16Test, DecodingIsExactAtBothEndsOfTheRange) {
  for (const int exponent : {kFp16MinExponent, 0, kFp16MaxExponent - 1}) {
    const std::vector<float> decoded = DecodeWith(GetParam(), FrameOfAllHalves(exponent));
    for (uint32_t half = 0; half < 65536; ++half) {
      if ((half & 0x7c00) == 0x7c00) continue;
      ASSERT_EQ(static_cast<double>(decoded[half]), std::ldexp(ValueOfHalf(half), exponent));
    }
  }
}

TEST_P(Fp16Test, DecodeAddEqualsDecodeThenAddAtEveryLength) {
  for (size_t length = 0; length <= 70; ++length) {
    const std::vector<std::byte> frame = EncodeWith(GetParam(), RandomFloats(length, 3, -30, 0));
    std::vector<float> sum = RandomFloats(length, 4, -10, 10);
    std::vector<float> expected = DecodeWith(InstructionSet::kPortable, frame);
    for (size_t i = 0; i < length; ++i) expected[i] = sum[i] + expected[i];
    Fp16DecodeAdd(GetParam(), frame, sum);
    EXPECT_EQ(Bits(sum), Bits(expected));
  }
}

TEST_P(Fp16Test, ErrorStaysWithinTheStatedBound) {
  for (const float peak : {-120.0f, -60.0f, 0.0f, 60.0f, 127.0f}) {
    std::vector<float> values = RandomFloats(4000, 5, peak - 50, peak);
    values[17] = std::exp2(peak);
    const std::vector<float> decoded = RoundTrip(GetParam(), values);
    for (size_t i = 0; i < values.size(); ++i) {
      const double x = std::abs(static_cast<double>(values[i]));
      const double bound =
          std::max({std::ldexp(x, -11), std::ldexp(1.0, static_cast<int>(peak) - 39), 0x1p-150});
      ASSERT_LE(std::abs(static_cast<double>(decoded[i]) - values[i]), bound) << values[i];
    }
  }
}

TEST_P(Fp16Test, FiniteElementsNeverBecomeInfinite) {
  for (const float value : FiniteSpecials()) {
    for (const float decoded : RoundTrip(GetParam(), std::vector<float>(20, value))) {
      EXPECT_TRUE(std::isfinite(decoded)) << value;
    }
  }
  const std::vector<float> largest =
      RoundTrip(GetParam(), std::vector<float>(20, std::numeric_limits<float>::max()));
  EXPECT_EQ(largest, std::vector<float>(20, 0x1.ffcp127f));
}

TEST_P(Fp16Test, SmallFramesDoNotSink) {
  const std::vector<float> values(20, -0x1.234p-60f);
  EXPECT_EQ(RoundTrip(GetParam(), values), values);
  const std::vector<float> denormals = {0x1p-149f, -0x1p-148f, 0x1.8p-147f, 0.0f, 0x1p-140f,
                                        0x1p-149f, -0x1p-148f, 0x1.8p-147f, 0.0f, 0x1p-140f};
  EXPECT_EQ(RoundTrip(GetParam(), denormals), denormals);
}

TEST_P(Fp16Test, WhatIsNotFiniteStaysSo) {
  std::vector<float> values(20, 1.0f);
  values[3] = std::numeric_limits<float>::infinity();
  values[11] = -std::numeric_limits<float>::infinity();
  values[19] = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> decoded = RoundTrip(GetParam(), values);
  for (size_t i = 0; i < values.size(); ++i) {
    EXPECT_EQ(std::isfinite(decoded[i]), std::isfinite(values[i])) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Sets, Fp16Test, testing::ValuesIn(SupportedInstructionSets()),
                         [](const auto& info) { return InstructionSetName(info.param); });

}  // namespace
}  // namespace tenor

#include "ops/codec/codec.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "ops/codec/test_vectors.h"

namespace tenor {
namespace {

constexpr CodecId kUnknown = static_cast<CodecId>(99);

std::vector<std::byte> EncodeCopy(CodecId codec, std::vector<float> values) {
  std::vector<std::byte> bytes;
  Encode(codec, values, {}, 1.0f, 0, &bytes);
  return bytes;
}

TEST(CodecNameTest, NamesAndNumbersGoBothWays) {
  EXPECT_EQ(ParseCodec("fp32").value(), CodecId::kFp32);
  EXPECT_EQ(ParseCodec("fp16").value(), CodecId::kFp16);
  EXPECT_EQ(CodecFromNumber(1).value(), CodecId::kFp32);
  EXPECT_EQ(CodecFromNumber(2).value(), CodecId::kFp16);
  EXPECT_EQ(CodecName(kUnknown), "unknown");
}

TEST(CodecNameTest, WhatDoesNotExistIsRefused) {
  for (const char* name : {"", "FP16", "unknown", "fp16 "}) {
    EXPECT_EQ(ParseCodec(name).status().code(), absl::StatusCode::kInvalidArgument) << name;
  }
  EXPECT_EQ(ParseCodec("fp8").status().message(), "codec \"fp8\" is unknown: choose fp32 or fp16");
  for (const uint32_t number : {0u, 3u, 257u, 0xffffffffu}) {
    EXPECT_EQ(CodecFromNumber(number).status().code(), absl::StatusCode::kInvalidArgument);
  }
}

// The suite that every codec passes.
class EveryCodecTest : public testing::TestWithParam<CodecId> {};

TEST_P(EveryCodecTest, PayloadHasTheStatedSizeAndDecodes) {
  for (size_t length = 0; length <= 70; ++length) {
    const std::vector<float> values = RandomFloats(length, 1, -8, 0);
    const std::vector<std::byte> bytes = EncodeCopy(GetParam(), values);
    ASSERT_EQ(bytes.size(), EncodedSize(GetParam(), length));
    std::vector<float> decoded(length, 77.0f);
    ASSERT_TRUE(Decode(GetParam(), bytes, decoded).ok());
    for (size_t i = 0; i < length; ++i) {
      EXPECT_NEAR(decoded[i], values[i], std::abs(values[i]) * 0x1p-11f);
    }
  }
}

TEST_P(EveryCodecTest, EncodesTheSumOfGradientAndResidualAndLeavesItInTheBuffer) {
  const size_t length = 10000;
  std::vector<float> g = RandomFloats(length, 1, -8, 0);
  const std::vector<float> q = RandomFloats(length, 2, -8, 0);
  std::vector<float> a = g;
  for (size_t i = 0; i < length; ++i) a[i] = g[i] + 4.0f * q[i];
  std::vector<std::byte> bytes;
  EXPECT_TRUE(Encode(GetParam(), g, q, 4.0f, 0, &bytes));
  EXPECT_EQ(Bits(g), Bits(a));
  EXPECT_EQ(bytes, EncodeCopy(GetParam(), a));
}

TEST_P(EveryCodecTest, WithoutResidualTheGradientStaysAsItIs) {
  std::vector<float> g = FiniteSpecials();
  std::vector<std::byte> bytes;
  EXPECT_TRUE(Encode(GetParam(), g, {}, 4.0f, 0, &bytes));
  EXPECT_EQ(Bits(g), Bits(FiniteSpecials()));
}

TEST_P(EveryCodecTest, EncodeIntoWritesTheSameBytes) {
  std::vector<float> g = RandomFloats(5000, 1, -8, 0);
  const std::vector<std::byte> expected = EncodeCopy(GetParam(), g);
  std::vector<std::byte> bytes(EncodedSize(GetParam(), g.size()));
  EXPECT_TRUE(EncodeInto(GetParam(), g, {}, 1.0f, 0, bytes));
  EXPECT_EQ(bytes, expected);
}

TEST_P(EveryCodecTest, SaysWhenTheSumIsNotFiniteAndSoDoesThePayload) {
  const float largest = std::numeric_limits<float>::max();
  for (const size_t place : {size_t{0}, size_t{4095}, size_t{4096}, size_t{9999}}) {
    std::vector<float> g(10000, 1.0f);
    std::vector<float> q(10000, 0.0f);
    g[place] = largest;
    q[place] = largest;
    std::vector<std::byte> bytes;
    EXPECT_FALSE(Encode(GetParam(), g, q, 2.0f, 0, &bytes));
    std::vector<float> decoded(g.size());
    ASSERT_TRUE(Decode(GetParam(), bytes, decoded).ok());
    EXPECT_FALSE(std::isfinite(decoded[place]));
  }
}

TEST_P(EveryCodecTest, FiniteStaysFinite) {
  const std::vector<std::byte> bytes = EncodeCopy(GetParam(), FiniteSpecials());
  std::vector<float> decoded(FiniteSpecials().size());
  ASSERT_TRUE(Decode(GetParam(), bytes, decoded).ok());
  for (const float value : decoded) EXPECT_TRUE(std::isfinite(value));
}

TEST_P(EveryCodecTest, DecodeAddHasTheBitsOfDecodeThenAdd) {
  const std::vector<std::byte> bytes = EncodeCopy(GetParam(), RandomFloats(1001, 1, -30, 0));
  std::vector<float> sum = RandomFloats(1001, 2, -10, 10);
  std::vector<float> expected(1001);
  ASSERT_TRUE(Decode(GetParam(), bytes, expected).ok());
  for (size_t i = 0; i < sum.size(); ++i) expected[i] = sum[i] + expected[i];
  ASSERT_TRUE(DecodeAdd(GetParam(), bytes, sum).ok());
  EXPECT_EQ(Bits(sum), Bits(expected));
}

TEST_P(EveryCodecTest, WrongLengthIsRefusedAndNothingWritten) {
  const std::vector<std::byte> bytes = EncodeCopy(GetParam(), {1.0f, 2.0f, 3.0f});
  for (size_t length = 0; length <= 2 * bytes.size(); ++length) {
    if (length == bytes.size()) continue;
    std::vector<std::byte> wrong = bytes;
    wrong.resize(length);
    std::vector<float> out = {7.0f, 8.0f, 9.0f};
    EXPECT_EQ(Decode(GetParam(), wrong, out).code(), absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(DecodeAdd(GetParam(), wrong, out).code(), absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(out, (std::vector<float>{7.0f, 8.0f, 9.0f}));
  }
}

TEST_P(EveryCodecTest, SettleLeavesNoResidualWhereNoneIsKept) {
  ASSERT_FALSE(KeepsResidual(GetParam()));
  const std::vector<float> a = {1.0f, 1.00001f};
  std::vector<float> q = {5.0f, 6.0f};
  Settle(GetParam(), a, EncodeCopy(GetParam(), a), 2.0f, q);
  EXPECT_EQ(q, (std::vector<float>{0.0f, 0.0f}));
  Settle(GetParam(), a, EncodeCopy(GetParam(), a), 2.0f, {});
}

INSTANTIATE_TEST_SUITE_P(Codecs, EveryCodecTest, testing::Values(CodecId::kFp32, CodecId::kFp16),
                         [](const auto& info) {
                           const absl::string_view name = CodecName(info.param);
                           return std::string(name.data(), name.size());
                         });

TEST(CodecErrorTest, EachSaysWhatTheValueAndTheCause) {
  std::vector<float> out(5);
  EXPECT_EQ(Decode(CodecId::kFp16, std::vector<std::byte>(13), out).message(),
            "fp16 payload has 13 bytes, but 5 elements take 12: it was cut or belongs to another "
            "chunk");
  EXPECT_EQ(Decode(kUnknown, std::vector<std::byte>(20), out).message(),
            "codec number 99 is unknown: this build has fp32 (1) and fp16 (2); the sender is of "
            "another version");
  std::vector<std::byte> bytes(12);
  bytes[0] = std::byte{114};
  EXPECT_EQ(DecodeAdd(CodecId::kFp16, bytes, out).message(),
            "fp16 payload has scale exponent 114, outside -125..113: it is damaged");
}

}  // namespace
}  // namespace tenor

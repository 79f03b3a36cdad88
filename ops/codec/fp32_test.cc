#include "ops/codec/fp32.h"

#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

#include "gtest/gtest.h"
#include "ops/codec/test_vectors.h"
#include "ops/cpu/instruction_set.h"

namespace tenor {
namespace {

TEST(Fp32Test, WorkedExample) {
  const std::vector<float> values = {1.0f, -0.25f};
  const unsigned char expected[] = {0x00, 0x00, 0x80, 0x3f, 0x00, 0x00, 0x80, 0xbe};
  std::vector<std::byte> bytes(Fp32EncodedSize(2));
  Fp32Encode(values, bytes);
  EXPECT_EQ(std::memcmp(bytes.data(), expected, sizeof(expected)), 0);
}

TEST(Fp32Test, EveryBitComesBackFromAnUnalignedPayload) {
  const std::vector<float> values = AllSpecials();
  std::vector<std::byte> buffer(Fp32EncodedSize(values.size()) + 1);
  const std::span<std::byte> bytes = std::span(buffer).subspan(1);
  Fp32Encode(values, bytes);
  std::vector<float> decoded(values.size());
  Fp32Decode(bytes, decoded);
  EXPECT_EQ(Bits(decoded), Bits(values));
}

TEST(Fp32Test, DecodeAddEqualsDecodeThenAddAtEveryLengthAndAlignment) {
  for (const InstructionSet set : SupportedInstructionSets()) {
    for (size_t length = 0; length <= 70; ++length) {
      const std::vector<float> values = RandomFloats(length, 3, -9, 9);
      std::vector<std::byte> buffer(Fp32EncodedSize(length) + 3);
      const std::span<std::byte> bytes = std::span(buffer).subspan(3);
      Fp32Encode(values, bytes);
      std::vector<float> sum = RandomFloats(length, 4, -9, 9);
      std::vector<float> expected = sum;
      for (size_t i = 0; i < length; ++i) expected[i] += values[i];
      Fp32DecodeAdd(set, bytes, sum);
      EXPECT_EQ(Bits(sum), Bits(expected)) << InstructionSetName(set);
    }
  }
}

}  // namespace
}  // namespace tenor

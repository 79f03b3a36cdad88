#include "ops/codec/elementwise.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "gtest/gtest.h"
#include "ops/codec/test_vectors.h"
#include "ops/cpu/instruction_set.h"

namespace tenor {
namespace {

// The order of additions that the header promises, written as plainly as it is stated there.
double StatedSumOfSquares(const std::vector<float>& x) {
  std::vector<double> lane(16, 0.0);
  for (size_t i = 0; i < x.size(); ++i) lane[i % 16] += static_cast<double>(x[i]) * x[i];
  for (size_t half : {8u, 4u, 2u, 1u}) {
    for (size_t j = 0; j < half; ++j) lane[j] += lane[j + half];
  }
  return lane[0];
}

class ElementwiseTest : public testing::TestWithParam<InstructionSet> {};

TEST_P(ElementwiseTest, SumOfSquaresAddsInTheStatedOrderAtEveryLength) {
  for (size_t length = 0; length <= 100; ++length) {
    const std::vector<float> x = RandomFloats(length, 7, -20, 20);
    EXPECT_EQ(std::bit_cast<uint64_t>(SumOfSquares(GetParam(), x)),
              std::bit_cast<uint64_t>(StatedSumOfSquares(x)))
        << length;
  }
}

TEST_P(ElementwiseTest, SumOfSquaresNeverOverflowsAndKeepsDenormals) {
  const float largest = std::numeric_limits<float>::max();
  const std::vector<float> large(1000, largest);
  EXPECT_EQ(SumOfSquares(GetParam(), large), StatedSumOfSquares(large));
  EXPECT_LT(SumOfSquares(GetParam(), large), std::numeric_limits<double>::infinity());
  const std::vector<float> small = {0x1p-149f};
  EXPECT_EQ(SumOfSquares(GetParam(), small), 0x1p-298);
}

TEST_P(ElementwiseTest, OneElementThatIsNotFiniteIsFoundAtEveryPlace) {
  for (const float bad :
       {std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity(),
        std::numeric_limits<float>::quiet_NaN(), std::bit_cast<float>(0xff800001u)}) {
    for (size_t length = 1; length <= 70; ++length) {
      std::vector<float> x(length, std::numeric_limits<float>::max());
      EXPECT_TRUE(AllFinite(GetParam(), x));
      x[length * 7 % length] = bad;
      EXPECT_FALSE(AllFinite(GetParam(), x));
      x.assign(length, -0.0f);
      x[length - 1] = bad;
      EXPECT_FALSE(AllFinite(GetParam(), x));
    }
  }
  EXPECT_TRUE(AllFinite(GetParam(), {}));
}

TEST_P(ElementwiseTest, PeakIsTheLargestMagnitudeOfEitherSign) {
  for (size_t length = 1; length <= 70; ++length) {
    for (size_t place = 0; place < length; ++place) {
      std::vector<float> x(length, 0.5f);
      x[place] = -3.0f;
      EXPECT_EQ(PeakMagnitudeBits(GetParam(), x), std::bit_cast<uint32_t>(3.0f));
    }
  }
  EXPECT_EQ(PeakMagnitudeBits(GetParam(), {}), 0u);
}

TEST_P(ElementwiseTest, AddScaledRoundsProductAndSumSeparately) {
  for (size_t length = 0; length <= 70; ++length) {
    const std::vector<float> q = RandomFloats(length, 1, -3, 3);
    std::vector<float> g = RandomFloats(length, 2, -3, 3);
    std::vector<float> expected = g;
    for (size_t i = 0; i < length; ++i) {
      const volatile float product = 3.1f * q[i];
      expected[i] += product;
    }
    AddScaled(GetParam(), 3.1f, q, g);
    EXPECT_EQ(Bits(g), Bits(expected));
  }
}

INSTANTIATE_TEST_SUITE_P(Sets, ElementwiseTest, testing::ValuesIn(SupportedInstructionSets()),
                         [](const auto& info) { return InstructionSetName(info.param); });

}  // namespace
}  // namespace tenor

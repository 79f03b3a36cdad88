#include "base/random.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <set>

#include "gtest/gtest.h"

namespace tenor {
namespace {

TEST(RandomTest, MixIsSplitMix64) {
  // The first outputs of the reference generator with seed 0.
  EXPECT_EQ(Mix64(0), 0xe220a8397b1dcdafu);
  EXPECT_EQ(Mix64(0x9e3779b97f4a7c15u), 0x6e789e6aa1b965f4u);
  EXPECT_EQ(Mix64(2 * 0x9e3779b97f4a7c15u), 0x06c45d188009454fu);
}

TEST(RandomTest, BitsDependOnEveryArgument) {
  std::set<uint64_t> seen;
  for (uint64_t seed = 0; seed < 8; ++seed) {
    for (uint64_t stream = 0; stream < 8; ++stream) {
      for (uint64_t index = 0; index < 8; ++index) seen.insert(RandomBits(seed, stream, index));
    }
  }
  EXPECT_EQ(seen.size(), 512u);
}

TEST(RandomTest, NeighboursDifferInHalfOfTheirBits) {
  int flipped = 0;
  const int pairs = 4096;
  for (uint64_t i = 0; i < pairs; ++i) {
    flipped += std::popcount(RandomBits(1, 2, i) ^ RandomBits(1, 2, i + 1));
  }
  // 64 bits a pair, each flipped with probability 1/2; six standard deviations.
  EXPECT_NEAR(flipped, 32.0 * pairs, 6 * std::sqrt(16.0 * pairs));
}

TEST(RandomTest, UniformStaysInsideItsRange) {
  EXPECT_EQ(UniformFloat(0), 0.0f);
  EXPECT_LT(UniformFloat(~uint64_t{0}), 1.0f);
  EXPECT_EQ(UniformFloat(uint64_t{1} << 63), 0.5f);
  EXPECT_EQ(UniformDouble(0), 0.0);
  EXPECT_LT(UniformDouble(~uint64_t{0}), 1.0);
  EXPECT_EQ(UniformDouble(uint64_t{1} << 62), 0.25);
}

TEST(RandomTest, UniformBelowScales) {
  EXPECT_EQ(UniformBelow(0, 10), 0u);
  EXPECT_EQ(UniformBelow(~uint64_t{0}, 10), 9u);
  EXPECT_EQ(UniformBelow(uint64_t{1} << 63, 10), 5u);
  EXPECT_EQ(UniformBelow(123, 0), 0u);
  EXPECT_EQ(UniformBelow(~uint64_t{0}, ~uint64_t{0}), ~uint64_t{0} - 1);
}

TEST(RandomTest, UniformMeanIsOneHalf) {
  const int n = 1 << 16;
  double sum = 0;
  for (uint64_t i = 0; i < n; ++i) sum += UniformDouble(RandomBits(7, 0, i));
  // Variance of one draw is 1/12; six standard deviations.
  EXPECT_NEAR(sum / n, 0.5, 6 * std::sqrt(1.0 / 12 / n));
}

TEST(RandomTest, NormalHasTheMomentsOfANormal) {
  const int n = 1 << 16;
  double sum = 0, squares = 0, fourths = 0, neighbours = 0;
  float before = 0;
  for (uint64_t i = 0; i < n; ++i) {
    const float x = NormalFloat(7, 3, i);
    ASSERT_TRUE(std::isfinite(x));
    sum += x;
    squares += x * x;
    fourths += std::pow(x, 4);
    neighbours += x * before;
    before = x;
  }
  // Variances of x, x^2, x^4 and of a product of two are 1, 2, 96 and 1; six standard deviations.
  EXPECT_NEAR(sum / n, 0.0, 6 * std::sqrt(1.0 / n));
  EXPECT_NEAR(squares / n, 1.0, 6 * std::sqrt(2.0 / n));
  EXPECT_NEAR(fourths / n, 3.0, 6 * std::sqrt(96.0 / n));
  EXPECT_NEAR(neighbours / n, 0.0, 6 * std::sqrt(1.0 / n));
}

TEST(RandomTest, NormalIsAPureFunction) {
  EXPECT_EQ(NormalFloat(1, 2, 3), NormalFloat(1, 2, 3));
  EXPECT_NE(NormalFloat(1, 2, 3), NormalFloat(1, 2, 4));
}

}  // namespace
}  // namespace tenor

#include "ops/optim/clip.h"

#include "gtest/gtest.h"

namespace tenor {
namespace {

TEST(ClipCoefficientTest, ScalesDownToTheLimitOnly) {
  EXPECT_EQ(ClipCoefficient(4.0, 1.0), 0.25);
  EXPECT_EQ(ClipCoefficient(1.0, 1.0), 1.0);
  EXPECT_EQ(ClipCoefficient(0.5, 1.0), 1.0);
  EXPECT_EQ(ClipCoefficient(0.0, 1.0), 1.0);
}

TEST(ClipCoefficientTest, ZeroMeansNoClipping) { EXPECT_EQ(ClipCoefficient(1e30, 0.0), 1.0); }

TEST(ClipCoefficientTest, ClippedGradientHasTheLimitAsItsNorm) {
  EXPECT_DOUBLE_EQ(123.456 * ClipCoefficient(123.456, 0.7), 0.7);
}

}  // namespace
}  // namespace tenor

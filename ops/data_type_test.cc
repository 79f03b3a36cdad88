#include "ops/data_type.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace tenor {
namespace {

float Rounded(float x) { return ToFloat(ToBFloat16(x)); }

TEST(BFloat16, RoundsToNearestTiesToEven) {
  EXPECT_EQ(Rounded(1.0f), 1.0f);
  EXPECT_EQ(Rounded(1.0f + 0x1p-8f), 1.0f);            // tie, even below
  EXPECT_EQ(Rounded(1.0f + 0x3p-8f), 1.0f + 0x1p-6f);  // tie, even above
  EXPECT_EQ(Rounded(1.0f + 0x1.1p-8f), 1.0f + 0x1p-7f);
  EXPECT_EQ(Rounded(-1.0f - 0x1.1p-8f), -1.0f - 0x1p-7f);
}

TEST(BFloat16, KeepsWhatIsNotFinite) {
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(Rounded(infinity), infinity);
  EXPECT_EQ(Rounded(-infinity), -infinity);
  EXPECT_EQ(Rounded(std::numeric_limits<float>::max()), infinity);
  EXPECT_TRUE(std::isnan(Rounded(std::numeric_limits<float>::quiet_NaN())));
  EXPECT_TRUE(std::isnan(Rounded(std::bit_cast<float>(0x7F800001u))));
}

}  // namespace
}  // namespace tenor

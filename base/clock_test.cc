#include "base/clock.h"

#include "absl/time/time.h"
#include "gtest/gtest.h"

namespace tenor {
namespace {

TEST(RealClockTest, StartsAtZeroAndNeverGoesBack) {
  const RealClock clock;
  const absl::Duration first = clock.Now();
  EXPECT_GE(first, absl::ZeroDuration());
  EXPECT_GE(clock.Now(), first);
}

TEST(RealClockTest, WallTimeIsOfThisCentury) {
  EXPECT_GT(RealClock().WallNow(), absl::FromUnixSeconds(1700000000));
}

TEST(FakeClockTest, MovesOnlyWhenTold) {
  FakeClock clock(absl::FromUnixSeconds(100));
  EXPECT_EQ(clock.Now(), absl::ZeroDuration());
  EXPECT_EQ(clock.WallNow(), absl::FromUnixSeconds(100));
  clock.Advance(absl::Seconds(5));
  EXPECT_EQ(clock.Now(), absl::Seconds(5));
  EXPECT_EQ(clock.WallNow(), absl::FromUnixSeconds(105));
}

TEST(FakeClockDeathTest, DoesNotGoBack) {
  FakeClock clock;
  EXPECT_DEATH(clock.Advance(-absl::Seconds(1)), "check failed");
}

}  // namespace
}  // namespace tenor

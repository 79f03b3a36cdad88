#include "base/check.h"

#include <cstddef>
#include <cstdint>
#include <string>

#include "gtest/gtest.h"

namespace tenor {
namespace {

enum class Color { kRed, kBlue };

struct Opaque {
  int value;
  bool operator==(const Opaque&) const = default;
};

TEST(CheckTest, TrueConditionsPass) {
  CHECK(true) << "not evaluated";
  CHECK_EQ(1, 1);
  CHECK_NE(std::string("a"), "b");
  CHECK_LT(1, 2) << "more";
  CHECK_LE(2, 2);
  CHECK_GT(2.5, 2.0);
  CHECK_GE(Color::kBlue, Color::kRed);
}

TEST(CheckTest, IntegersOfDifferentSignCompareByValue) {
  CHECK_LT(-1, size_t{1});
  CHECK_GT(uint64_t{1}, -1);
  CHECK_EQ(size_t{3}, 3);
}

TEST(CheckTest, ArgumentsAreEvaluatedOnce) {
  int calls = 0;
  CHECK_EQ(++calls, 1);
  CHECK(++calls == 2);
  EXPECT_EQ(calls, 2);
}

TEST(CheckTest, WorksAsTheBranchOfAnIf) {
  bool otherwise = false;
  if (otherwise)
    CHECK(false);
  else
    otherwise = true;
  EXPECT_TRUE(otherwise);
}

TEST(CheckDeathTest, FailureNamesPlaceConditionAndMessage) {
  const int found = 3;
  EXPECT_DEATH(CHECK(found == 4) << "found " << found,
               "F .*check_test.cc:[0-9]+: check failed: found == 4 found 3");
}

TEST(CheckDeathTest, ComparisonNamesBothValues) {
  const size_t found = 3;
  EXPECT_DEATH(CHECK_EQ(found, 4) << "pieces", "found == 4 \\(3 vs. 4\\) pieces");
  EXPECT_DEATH(CHECK_LT(size_t{1}, -1), "\\(1 vs. -1\\)");
  EXPECT_DEATH(CHECK_EQ(Color::kRed, Color::kBlue), "\\(0 vs. 1\\)");
  EXPECT_DEATH(CHECK_EQ(Opaque{1}, Opaque{2}), "<unprintable> vs. <unprintable>");
}

TEST(CheckDeathTest, DebugChecksFollowTheBuild) {
  int evaluated = 0;
  DCHECK_EQ(++evaluated, 1);
#ifdef NDEBUG
  EXPECT_EQ(evaluated, 0);
  DCHECK(false);
#else
  EXPECT_EQ(evaluated, 1);
  EXPECT_DEATH(DCHECK(false), "check failed: false");
#endif
}

}  // namespace
}  // namespace tenor

#include "model/layout.h"

#include <gtest/gtest.h>

namespace tenor {
namespace {

Layout Two(absl::string_view name, int64_t rows, bool decay) {
  Layout layout;
  layout.Add(name, {rows, 3}, decay);
  layout.Add("bias", {5}, false);
  return layout;
}

TEST(Layout, TensorsFollowEachOtherWithoutGaps) {
  const Layout layout = Two("weight", 4, true);
  EXPECT_EQ(layout.size(), 17u);
  EXPECT_EQ(layout.Find("bias")->offset, 12u);
  EXPECT_EQ(layout.Find("bias")->size, 5u);
  EXPECT_TRUE(layout.Find("weight")->decay);
  EXPECT_EQ(layout.Find("absent"), nullptr);
}

TEST(Layout, HashChangesWithEveryProperty) {
  const uint64_t hash = Two("weight", 4, true).Hash();
  EXPECT_EQ(Two("weight", 4, true).Hash(), hash);
  EXPECT_NE(Two("weighs", 4, true).Hash(), hash);
  EXPECT_NE(Two("weight", 5, true).Hash(), hash);
  EXPECT_NE(Two("weight", 4, false).Hash(), hash);
  Layout swapped;
  swapped.Add("bias", {5}, false);
  swapped.Add("weight", {4, 3}, true);
  EXPECT_NE(swapped.Hash(), hash);
}

// Manifests hold it: it must not change from one release to the next.
TEST(Layout, HashIsStable) { EXPECT_EQ(Two("weight", 4, true).Hash(), 14839224184116774252u); }

}  // namespace
}  // namespace tenor

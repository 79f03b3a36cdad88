#include "base/path.h"

#include "gtest/gtest.h"

namespace tenor {
namespace {

TEST(PathTest, Join) {
  EXPECT_EQ(JoinPath("a", "b"), "a/b");
  EXPECT_EQ(JoinPath("a/", "b"), "a/b");
  EXPECT_EQ(JoinPath("/", "b"), "/b");
  EXPECT_EQ(JoinPath("", "b"), "b");
  EXPECT_EQ(JoinPath("a", "/b"), "/b");
}

TEST(PathTest, DirectoryName) {
  EXPECT_EQ(DirectoryName("a/b/c"), "a/b");
  EXPECT_EQ(DirectoryName("a/b/"), "a");
  EXPECT_EQ(DirectoryName("a//b"), "a");
  EXPECT_EQ(DirectoryName("a"), ".");
  EXPECT_EQ(DirectoryName(""), ".");
  EXPECT_EQ(DirectoryName("/a"), "/");
  EXPECT_EQ(DirectoryName("/"), "/");
}

TEST(PathTest, BaseName) {
  EXPECT_EQ(BaseName("a/b/c"), "c");
  EXPECT_EQ(BaseName("a/"), "a");
  EXPECT_EQ(BaseName("a"), "a");
  EXPECT_EQ(BaseName("/"), "");
}

}  // namespace
}  // namespace tenor

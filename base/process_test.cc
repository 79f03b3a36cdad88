#include "base/process.h"

#include <sys/resource.h>

#include "base/status_testing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tenor {
namespace {

TEST(ProcessTest, HostnameIsAName) {
  EXPECT_THAT(Hostname(), IsOkAndHolds(testing::Not(testing::IsEmpty())));
}

TEST(ProcessTest, RaisesTheOpenFilesLimit) {
  rlimit limit = {};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &limit), 0);
  limit.rlim_cur = 64;
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);
  EXPECT_THAT(RaiseOpenFilesLimit(), IsOkAndHolds(limit.rlim_max));
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &limit), 0);
  EXPECT_EQ(limit.rlim_cur, limit.rlim_max);
}

}  // namespace
}  // namespace tenor

#include "base/errno_status.h"

#include <cerrno>

#include "absl/status/status.h"
#include "base/status_testing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tenor {
namespace {

TEST(ErrnoStatusTest, NamesActionSubjectAndCause) {
  EXPECT_THAT(ErrnoStatus(ENOENT, "open", "/a/b"),
              StatusIs(absl::StatusCode::kNotFound, "open /a/b: No such file or directory"));
}

TEST(ErrnoStatusTest, MapsCausesToCodes) {
  EXPECT_THAT(ErrnoStatus(EEXIST, "", ""), StatusIs(absl::StatusCode::kAlreadyExists));
  EXPECT_THAT(ErrnoStatus(EACCES, "", ""), StatusIs(absl::StatusCode::kPermissionDenied));
  EXPECT_THAT(ErrnoStatus(EROFS, "", ""), StatusIs(absl::StatusCode::kPermissionDenied));
  EXPECT_THAT(ErrnoStatus(ENOSPC, "", ""), StatusIs(absl::StatusCode::kResourceExhausted));
  EXPECT_THAT(ErrnoStatus(EDQUOT, "", ""), StatusIs(absl::StatusCode::kResourceExhausted));
  EXPECT_THAT(ErrnoStatus(EMFILE, "", ""), StatusIs(absl::StatusCode::kResourceExhausted));
  EXPECT_THAT(ErrnoStatus(ENOTEMPTY, "", ""), StatusIs(absl::StatusCode::kFailedPrecondition));
  EXPECT_THAT(ErrnoStatus(ENAMETOOLONG, "", ""), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(ErrnoStatus(EIO, "", ""), StatusIs(absl::StatusCode::kUnavailable));
}

}  // namespace
}  // namespace tenor

#include "base/status.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/cord.h"
#include "base/status_testing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tenor {
namespace {

absl::Status ReturnIfError(const absl::Status& status, bool* reached) {
  TENOR_RETURN_IF_ERROR(status);
  *reached = true;
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<int>> Box(int value) {
  if (value < 0) return absl::InvalidArgumentError("negative");
  return std::make_unique<int>(value);
}

absl::StatusOr<int> Sum(int a, int b) {
  TENOR_ASSIGN_OR_RETURN(const std::unique_ptr<int> first, Box(a));
  std::unique_ptr<int> second;
  TENOR_ASSIGN_OR_RETURN(second, Box(b));
  return *first + *second;
}

TEST(StatusTest, ReturnIfErrorReturnsOnlyErrors) {
  bool reached = false;
  EXPECT_THAT(ReturnIfError(absl::AbortedError("x"), &reached),
              StatusIs(absl::StatusCode::kAborted, "x"));
  EXPECT_FALSE(reached);
  EXPECT_OK(ReturnIfError(absl::OkStatus(), &reached));
  EXPECT_TRUE(reached);
}

TEST(StatusTest, AssignOrReturnMovesValuesAndReturnsErrors) {
  EXPECT_THAT(Sum(2, 3), IsOkAndHolds(5));
  EXPECT_THAT(Sum(-1, 3), StatusIs(absl::StatusCode::kInvalidArgument, "negative"));
  EXPECT_THAT(Sum(2, -1), StatusIs(absl::StatusCode::kInvalidArgument, "negative"));
}

TEST(StatusTest, AnnotateKeepsCodeAndPayload) {
  absl::Status status = absl::NotFoundError("no such file");
  status.SetPayload("type", absl::Cord("detail"));
  const absl::Status annotated = Annotate(status, "load checkpoint");
  EXPECT_THAT(annotated, StatusIs(absl::StatusCode::kNotFound, "load checkpoint: no such file"));
  EXPECT_EQ(annotated.GetPayload("type"), absl::Cord("detail"));
}

TEST(StatusTest, AnnotateLeavesOkAlone) {
  EXPECT_EQ(Annotate(absl::OkStatus(), "x"), absl::OkStatus());
}

}  // namespace
}  // namespace tenor

#ifndef TENOR_BASE_STATUS_TESTING_H_
#define TENOR_BASE_STATUS_TESTING_H_

#include <ostream>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

// gmock for absl::Status and absl::StatusOr:
//   EXPECT_OK(file->Close());
//   ASSERT_OK_AND_ASSIGN(auto file, files.Create("a"));       two statements
//   EXPECT_THAT(files.Open("b"), StatusIs(absl::StatusCode::kNotFound, HasSubstr("b")));
//   EXPECT_THAT(files.Exists("b"), IsOkAndHolds(false));

#define EXPECT_OK(expr) EXPECT_THAT((expr), ::tenor::IsOk())
#define ASSERT_OK(expr) ASSERT_THAT((expr), ::tenor::IsOk())
#define ASSERT_OK_AND_ASSIGN(lhs, ...) \
  TENOR_ASSERT_OK_AND_ASSIGN_(TENOR_TESTING_NAME_(tenor_result_, __LINE__), lhs, (__VA_ARGS__))

#define TENOR_TESTING_NAME_(prefix, line) TENOR_TESTING_NAME_JOINED_(prefix, line)
#define TENOR_TESTING_NAME_JOINED_(prefix, line) prefix##line
#define TENOR_ASSERT_OK_AND_ASSIGN_(result, lhs, expr) \
  auto result = expr;                                  \
  ASSERT_OK(result);                                   \
  lhs = *std::move(result)

namespace tenor {
namespace status_testing_internal {

inline const absl::Status& GetStatus(const absl::Status& status) { return status; }

template <typename T>
const absl::Status& GetStatus(const absl::StatusOr<T>& result) {
  return result.status();
}

}  // namespace status_testing_internal

MATCHER(IsOk, negation ? "is an error" : "is OK") {
  const absl::Status& status = status_testing_internal::GetStatus(arg);
  *result_listener << "which is " << status.ToString();
  return status.ok();
}

MATCHER_P(StatusIs, code, "has code " + absl::StatusCodeToString(code)) {
  const absl::Status& status = status_testing_internal::GetStatus(arg);
  *result_listener << "which is " << status.ToString();
  return status.code() == code;
}

MATCHER_P2(StatusIs, code, message,
           "has code " + absl::StatusCodeToString(code) + " and a message") {
  const absl::Status& status = status_testing_internal::GetStatus(arg);
  *result_listener << "which is " << status.ToString();
  return status.code() == code &&
         ::testing::ExplainMatchResult(message, std::string(status.message()), result_listener);
}

MATCHER_P(IsOkAndHolds, value, "is OK and holds a value") {
  if (!arg.ok()) {
    *result_listener << "which is " << arg.status().ToString();
    return false;
  }
  return ::testing::ExplainMatchResult(value, *arg, result_listener);
}

}  // namespace tenor

#endif  // TENOR_BASE_STATUS_TESTING_H_

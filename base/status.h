#ifndef TENOR_BASE_STATUS_H_
#define TENOR_BASE_STATUS_H_

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

// Returns from the enclosing function (of type absl::Status or absl::StatusOr) if `expr`, an
// absl::Status, is an error.
#define TENOR_RETURN_IF_ERROR(expr)                               \
  do {                                                            \
    if (absl::Status tenor_status = (expr); !tenor_status.ok()) { \
      return tenor_status;                                        \
    }                                                             \
  } while (false)

// Evaluates `expr`, an absl::StatusOr; returns its status from the enclosing function if it is an
// error, otherwise assigns its value to `lhs`, which may be a declaration. Two statements: put it
// into braces below an if. `lhs` holds no comma.
#define TENOR_ASSIGN_OR_RETURN(lhs, ...) \
  TENOR_ASSIGN_OR_RETURN_AT_(TENOR_STATUS_NAME_(tenor_result_, __LINE__), lhs, (__VA_ARGS__))

#define TENOR_STATUS_NAME_(prefix, line) TENOR_STATUS_NAME_JOINED_(prefix, line)
#define TENOR_STATUS_NAME_JOINED_(prefix, line) prefix##line
#define TENOR_ASSIGN_OR_RETURN_AT_(result, lhs, expr) \
  auto result = expr;                                 \
  if (!result.ok()) {                                 \
    return std::move(result).status();                \
  }                                                   \
  lhs = *std::move(result)

namespace tenor {

// The same code and payloads with "prefix: " before the message; OK stays OK.
absl::Status Annotate(const absl::Status& status, absl::string_view prefix);

}  // namespace tenor

#endif  // TENOR_BASE_STATUS_H_

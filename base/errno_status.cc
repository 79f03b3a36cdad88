#include "base/errno_status.h"

#include <cerrno>
#include <system_error>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace tenor {
namespace {

absl::StatusCode CodeOf(int error_number) {
  switch (error_number) {
    case ENOENT:
      return absl::StatusCode::kNotFound;
    case EEXIST:
      return absl::StatusCode::kAlreadyExists;
    case EACCES:
    case EPERM:
    case EROFS:
      return absl::StatusCode::kPermissionDenied;
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
    case EMFILE:
    case ENFILE:
    case ENOMEM:
      return absl::StatusCode::kResourceExhausted;
    case ENOTDIR:
    case EISDIR:
    case ENOTEMPTY:
    case EBADF:
    case EXDEV:
    case EBUSY:
      return absl::StatusCode::kFailedPrecondition;
    case EINVAL:
    case ENAMETOOLONG:
    case ELOOP:
      return absl::StatusCode::kInvalidArgument;
    default:
      return absl::StatusCode::kUnavailable;
  }
}

}  // namespace

absl::Status ErrnoStatus(int error_number, absl::string_view action, absl::string_view subject) {
  // generic_category().message() is strerror without its static buffer.
  return absl::Status(
      CodeOf(error_number),
      absl::StrCat(action, " ", subject, ": ", std::generic_category().message(error_number)));
}

}  // namespace tenor

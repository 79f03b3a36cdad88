#ifndef TENOR_BASE_ERRNO_STATUS_H_
#define TENOR_BASE_ERRNO_STATUS_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace tenor {

// "action subject: text of error_number", with the code that file_system.h gives its cause.
// REQUIRES: error_number != 0.
absl::Status ErrnoStatus(int error_number, absl::string_view action, absl::string_view subject);

}  // namespace tenor

#endif  // TENOR_BASE_ERRNO_STATUS_H_

#ifndef TENOR_CLI_EXIT_CODE_H_
#define TENOR_CLI_EXIT_CODE_H_

#include "absl/status/status.h"

// Exit codes of the program: 0 done, 1 failure, 2 bad flag or JobSpec, 3 refused by the servers or
// a name in use, 4 start_deadline passed.

namespace tenor {

inline constexpr int kExitDone = 0;
inline constexpr int kExitFailure = 1;
inline constexpr int kExitBadInput = 2;
inline constexpr int kExitRefused = 3;
inline constexpr int kExitStartDeadline = 4;

// The same error, with the code that the program is to end with. REQUIRES: an error.
absl::Status WithExitCode(absl::Status status, int code);

// That of WithExitCode; else 0 for OK, 2 for InvalidArgument, 1 for any other error.
int ExitCodeOf(const absl::Status& status);

}  // namespace tenor

#endif  // TENOR_CLI_EXIT_CODE_H_

#ifndef TENOR_SERVER_RUNNER_RUN_IDENTITY_H_
#define TENOR_SERVER_RUNNER_RUN_IDENTITY_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/file_system.h"
#include "proto/spec.pb.h"

namespace tenor {

// What makes a folder the folder of one run: its job and its nonce.
struct RunIdentity {
  spec::JobSpec job;  // defaults filled in
  std::string nonce;  // equal on every server that sees this very folder
};

// For server 0: makes the folder a run of `job`, with `fresh_nonce`, or takes up the run that is
// there. Durable. Errors: FailedPrecondition (the folder holds another job; the message has the
// difference and the two ways out), DataLoss (its job does not parse), those of the file system.
absl::StatusOr<RunIdentity> BeginRun(FileSystem& files, absl::string_view run_folder,
                                     const spec::JobSpec& job, absl::string_view fresh_nonce);

// For the other servers. NotFound while server 0 has not begun the run; else as BeginRun.
absl::StatusOr<RunIdentity> JoinRun(FileSystem& files, absl::string_view run_folder,
                                    const spec::JobSpec& job);

}  // namespace tenor

#endif  // TENOR_SERVER_RUNNER_RUN_IDENTITY_H_

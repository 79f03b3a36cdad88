#ifndef TENOR_SERVER_RUNNER_ENDPOINTS_H_
#define TENOR_SERVER_RUNNER_ENDPOINTS_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/file_system.h"
#include "proto/spec.pb.h"

// Where the processes of a run listen, as files in its folder. Each process writes its own
// endpoints.d/ROLE-INDEX.textproto; server 0 joins them to endpoints.textproto, for people and the
// command line, and to targets.json, for Prometheus' file-based discovery. Free functions; errors
// are those of the file system.

namespace tenor {

absl::Status WriteEndpoint(FileSystem& files, absl::string_view run_folder,
                           const spec::Endpoints::Process& process);

// Writes both joined files if they would change. Files in endpoints.d that do not parse are left
// out.
absl::Status JoinEndpoints(FileSystem& files, absl::string_view run_folder,
                           absl::string_view run_name);

// [{"targets": ["host:7401"], "labels": {"role": "server", "index": "0", "run": "NAME"}}]
std::string TargetsJson(const spec::Endpoints& endpoints);

}  // namespace tenor

#endif  // TENOR_SERVER_RUNNER_ENDPOINTS_H_

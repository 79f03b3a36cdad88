#ifndef TENOR_SERVER_RUNNER_RUN_PATHS_H_
#define TENOR_SERVER_RUNNER_RUN_PATHS_H_

#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "server/core/names.h"

// Names in a run folder. Persistent format:
//
//   job.textproto                            the run's JobSpec, defaults filled in
//   run_nonce                                proof that servers see one folder
//   lineage/17                               LineageClaim of lineage 17; empty = void
//   ckpt/v000012300-g0007-r000012345/        a checkpoint; complete where it holds
//     MANIFEST.textproto                     this, written last
//     shard-00000-of-00004.safetensors       masters and moments of server 0 of 4
//   ckpt/v000012300-g0007-r000012345.damaged one that could not be loaded
//   endpoints.textproto, targets.json        where the processes listen
//   events.jsonl, metrics.jsonl              one line an event, one line a step

namespace tenor {

inline constexpr char kManifestFile[] = "MANIFEST.textproto";

std::string LineageFolder(absl::string_view run_folder);
std::string CheckpointsFolder(absl::string_view run_folder);

// "v000012300-g0007-r000012345": more digits where a number needs them.
std::string CheckpointDirectoryName(const CheckpointName& name);
// Nothing for a name that CheckpointDirectoryName does not make.
std::optional<CheckpointName> ParseCheckpointDirectoryName(absl::string_view name);
std::string CheckpointFolder(absl::string_view run_folder, const CheckpointName& name);

// "shard-00000-of-00004.safetensors".
std::string ShardFileName(int shard, int shards);

}  // namespace tenor

#endif  // TENOR_SERVER_RUNNER_RUN_PATHS_H_

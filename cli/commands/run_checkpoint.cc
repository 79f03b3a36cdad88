#include "cli/commands/run_checkpoint.h"

#include <optional>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/status.h"
#include "proto/validate.h"
#include "server/core/base_choice.h"
#include "server/runner/checkpoint_store.h"
#include "server/runner/lineage_claims.h"
#include "server/runner/run_paths.h"

namespace tenor {
namespace {

absl::StatusOr<std::vector<CheckpointOnDisk>> ListAll(FileSystem& files,
                                                      absl::string_view run_folder) {
  absl::StatusOr<std::vector<CheckpointOnDisk>> listed = CheckpointStore(files, run_folder).List();
  if (absl::IsNotFound(listed.status())) return std::vector<CheckpointOnDisk>();
  return listed;
}

// As a new lineage would choose. A folder of checkpoints without claims (a copy) has an order too.
absl::StatusOr<CheckpointName> ChooseNewest(FileSystem& files, absl::string_view run_folder,
                                            const std::vector<CheckpointOnDisk>& checkpoints) {
  const absl::StatusOr<std::vector<ClaimOnDisk>> claims = LineageClaims(files, run_folder).List();
  if (claims.ok() && !claims->empty()) {
    TENOR_ASSIGN_OR_RETURN(const BaseChoice choice,
                           ChooseBase(*claims, checkpoints, DefaultTunables()));
    return choice.base;
  }
  if (!claims.ok() && !absl::IsNotFound(claims.status())) return claims.status();
  CheckpointName newest;
  for (const CheckpointOnDisk& one : checkpoints) {
    if (one.damaged) continue;
    if (std::tie(one.name.lineage, one.name.round) > std::tie(newest.lineage, newest.round)) {
      newest = one.name;
    }
  }
  return newest;
}

absl::StatusOr<CheckpointName> ParseName(absl::string_view text,
                                         const std::vector<CheckpointOnDisk>& checkpoints) {
  const std::optional<CheckpointName> name = ParseCheckpointDirectoryName(text);
  if (!name) {
    return absl::InvalidArgumentError(
        absl::StrCat("checkpoint is ", text,
                     "; names are as v000012300-g0007-r000012345 (`tenor checkpoint list`)"));
  }
  std::vector<std::string> there;
  for (const CheckpointOnDisk& one : checkpoints) {
    if (one.name == *name && !one.damaged) return *name;
    if (!one.damaged) there.push_back(CheckpointDirectoryName(one.name));
  }
  return absl::NotFoundError(absl::StrCat("checkpoint ", text, " is not complete or not there; ",
                                          there.empty() ? "there are none" : "there are ",
                                          absl::StrJoin(there, " ")));
}

}  // namespace

absl::StatusOr<RunCheckpoint> FindCheckpoint(FileSystem& files, absl::string_view run_folder,
                                             absl::string_view directory_name) {
  TENOR_ASSIGN_OR_RETURN(const bool there, files.Exists(run_folder));
  if (!there) {
    return absl::NotFoundError(absl::StrCat("run folder ", run_folder, " does not exist"));
  }
  TENOR_ASSIGN_OR_RETURN(const std::vector<CheckpointOnDisk> checkpoints,
                         ListAll(files, run_folder));
  CheckpointName name;
  if (directory_name.empty()) {
    TENOR_ASSIGN_OR_RETURN(name, ChooseNewest(files, run_folder, checkpoints));
  } else {
    TENOR_ASSIGN_OR_RETURN(name, ParseName(directory_name, checkpoints));
  }
  if (name == CheckpointName{}) {
    return absl::NotFoundError(absl::StrCat("run folder ", run_folder,
                                            " has no complete checkpoint yet; save one with ",
                                            "`tenor checkpoint now --run ", run_folder, "`"));
  }
  TENOR_ASSIGN_OR_RETURN(spec::Manifest manifest,
                         CheckpointStore(files, run_folder).ReadManifest(name));
  return RunCheckpoint{name, CheckpointFolder(run_folder, name), std::move(manifest)};
}

}  // namespace tenor

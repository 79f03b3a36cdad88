#ifndef TENOR_SERVER_RUNNER_CHECKPOINT_STORE_H_
#define TENOR_SERVER_RUNNER_CHECKPOINT_STORE_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/file_system.h"
#include "proto/spec.pb.h"
#include "server/core/base_choice.h"
#include "server/core/effects.h"
#include "server/core/names.h"

namespace tenor {

// The checkpoints of a run folder (run_paths.h). Errors of the file system pass through and name
// the path; a checkpoint whose contents are wrong is DataLoss, so that it can be told from a disk
// or a network that fails. Thread-compatible.
class CheckpointStore {
 public:
  // `files` is borrowed and outlives the store.
  CheckpointStore(FileSystem& files, absl::string_view run_folder);

  // Complete ones and those renamed to *.damaged, in order of names. Folders without a manifest are
  // saves that did not end: not listed.
  absl::StatusOr<std::vector<CheckpointOnDisk>> List() const;

  // NotFound: no such checkpoint, or not complete. DataLoss: the manifest does not parse, is not
  // valid or names another checkpoint.
  absl::StatusOr<spec::Manifest> ReadManifest(const CheckpointName& name) const;

  // Commits a checkpoint whose shard files are durable. After an error or a crash at any point the
  // manifest is whole or absent.
  absl::Status WriteManifest(const CheckpointName& name, const spec::Manifest& manifest) const;

  // Renames the folder to *.damaged; it is kept for whoever wants to look. One that is renamed
  // already is fine.
  absl::Status RenameDamaged(const CheckpointName& name) const;

  // Deletes CheckpointsToDelete (server/core/prune.h) and what older saves left unfinished. A
  // crash in between leaves no checkpoint that is listed and lacks a file.
  absl::Status Prune(const tenor::Prune& prune) const;

  // All files of a checkpoint have the sizes and checksums of its manifest. DataLoss names the
  // first that has not.
  absl::Status Verify(const CheckpointName& name) const;

 private:
  absl::Status Delete(const CheckpointName& name) const;
  absl::Status DeleteUnfinished(const CheckpointName& newest) const;

  FileSystem& files_;
  const std::string run_folder_;
};

// DataLoss if the file at `path` is missing, or has another size or checksum than `file` says.
absl::Status VerifyFile(FileSystem& files, absl::string_view path,
                        const spec::CheckpointFile& file);

}  // namespace tenor

#endif  // TENOR_SERVER_RUNNER_CHECKPOINT_STORE_H_

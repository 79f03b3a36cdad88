#ifndef TENOR_SERVER_RUNNER_LINEAGE_CLAIMS_H_
#define TENOR_SERVER_RUNNER_LINEAGE_CLAIMS_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/file_system.h"
#include "proto/spec.pb.h"
#include "server/core/base_choice.h"
#include "server/core/names.h"
#include "server/runner/checkpoint_store.h"

namespace tenor {

// The files lineage/<g> of a run folder (docs/protocol.md 1). Of all processes that share the
// folder, exactly one claims a lineage. Errors of the file system pass through. Thread-compatible.
class LineageClaims {
 public:
  // `files` is borrowed and outlives the claims.
  LineageClaims(FileSystem& files, absl::string_view run_folder);

  struct Claim {
    Lineage lineage = 0;
    CheckpointName base;                 // all zero = version 0
    std::optional<spec::Record> record;  // of the base's manifest; absent for version 0
    spec::Tunables tunables;             // as written
  };

  // Claims the next free lineage: creates its file exclusively, then reads all other claims and
  // manifests, chooses the base and writes it, durably. A manifest that cannot be read as one is
  // renamed to *.damaged on the way. `initial` are the tunables where no claim holds any. Errors
  // beyond the file system's: DataLoss (no usable base, or a claim that does not parse); then the
  // claimed number is spent.
  absl::StatusOr<Claim> ClaimNext(const spec::Tunables& initial) const;

  // The largest lineage that has a file, 0 for none.
  absl::StatusOr<Lineage> Newest() const;

  // Replaces base and tunables of a claim, durably and atomically.
  absl::Status Write(Lineage lineage, const CheckpointName& base,
                     const spec::Tunables& tunables) const;

  // All claims, void ones included. DataLoss for one that is neither empty nor a claim.
  absl::StatusOr<std::vector<ClaimOnDisk>> List() const;

 private:
  absl::StatusOr<Lineage> CreateNext() const;
  absl::StatusOr<std::vector<Lineage>> Numbers() const;
  std::string Path(Lineage lineage) const;

  FileSystem& files_;
  const std::string folder_;
  const CheckpointStore checkpoints_;
};

}  // namespace tenor

#endif  // TENOR_SERVER_RUNNER_LINEAGE_CLAIMS_H_

#ifndef TENOR_SERVER_CORE_BASE_CHOICE_H_
#define TENOR_SERVER_CORE_BASE_CHOICE_H_

#include <optional>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/spec.pb.h"
#include "server/core/names.h"

// From what a new lineage starts (docs/protocol.md 1, 4). Pure.

namespace tenor {

// One file lineage/<g>. Without a base it is void: its number is spent, nothing else.
struct ClaimOnDisk {
  Lineage lineage = 0;
  std::optional<CheckpointName> base;
  spec::Tunables tunables;
};

// One folder of a checkpoint that has, or before its damage had, a manifest.
struct CheckpointOnDisk {
  CheckpointName name;
  bool damaged = false;  // renamed to *.damaged
};

struct BaseChoice {
  CheckpointName base;      // all zero = version 0
  spec::Tunables tunables;  // newest accepted; `initial` where there is no earlier claim
};

// The base of a new claim, from all other claims and all checkpoints, in any order: the complete
// checkpoint with the largest round in the newest lineage that has a base, else that lineage's
// base. Where that one is damaged or gone, the next older one on the same path. Version 0 only
// where nothing was lost. Errors: DataLoss, naming every damaged or missing checkpoint on the path.
absl::StatusOr<BaseChoice> ChooseBase(std::span<const ClaimOnDisk> claims,
                                      std::span<const CheckpointOnDisk> checkpoints,
                                      const spec::Tunables& initial);

// 1 + the largest lineage of any claim, void ones included.
Lineage NextLineage(std::span<const ClaimOnDisk> claims);

}  // namespace tenor

#endif  // TENOR_SERVER_CORE_BASE_CHOICE_H_

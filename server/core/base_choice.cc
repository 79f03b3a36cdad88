#include "server/core/base_choice.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "proto/spec.pb.h"
#include "server/core/names.h"

namespace tenor {

namespace {

constexpr CheckpointName kVersionZero;

std::string Show(const CheckpointName& name) {
  return absl::StrCat("v", name.version, " of lineage ", name.lineage, ", round ", name.round);
}

// The checkpoints of one lineage up to `last`, newest first.
std::vector<CheckpointOnDisk> Newest(std::span<const CheckpointOnDisk> checkpoints, Lineage lineage,
                                     Round last) {
  std::vector<CheckpointOnDisk> found;
  for (const CheckpointOnDisk& checkpoint : checkpoints) {
    if (checkpoint.name.lineage == lineage && checkpoint.name.round <= last) {
      found.push_back(checkpoint);
    }
  }
  std::sort(found.begin(), found.end(),
            [](const auto& a, const auto& b) { return b.name.round < a.name.round; });
  return found;
}

const ClaimOnDisk* NewestWithBase(std::span<const ClaimOnDisk> claims) {
  const ClaimOnDisk* newest = nullptr;
  for (const ClaimOnDisk& claim : claims) {
    if (claim.base && (newest == nullptr || newest->lineage < claim.lineage)) newest = &claim;
  }
  return newest;
}

const ClaimOnDisk* FindClaim(std::span<const ClaimOnDisk> claims, Lineage lineage) {
  for (const ClaimOnDisk& claim : claims) {
    if (claim.lineage == lineage && claim.base) return &claim;
  }
  return nullptr;
}

}  // namespace

absl::StatusOr<BaseChoice> ChooseBase(std::span<const ClaimOnDisk> claims,
                                      std::span<const CheckpointOnDisk> checkpoints,
                                      const spec::Tunables& initial) {
  const ClaimOnDisk* claim = NewestWithBase(claims);
  if (claim == nullptr) return BaseChoice{kVersionZero, initial};
  const spec::Tunables tunables = claim->tunables;
  std::vector<std::string> lost;
  Lineage lineage = claim->lineage;
  Round last = INT64_MAX;
  // Each turn goes to an older lineage, so this ends.
  for (;;) {
    for (const CheckpointOnDisk& checkpoint : Newest(checkpoints, lineage, last)) {
      if (!checkpoint.damaged) return BaseChoice{checkpoint.name, tunables};
      lost.push_back(Show(checkpoint.name));
    }
    claim = FindClaim(claims, lineage);
    if (claim == nullptr || *claim->base == kVersionZero) break;
    const CheckpointName base = *claim->base;
    const std::vector<CheckpointOnDisk> at = Newest(checkpoints, base.lineage, base.round);
    if (at.empty() || at.front().name.round != base.round) lost.push_back(Show(base));
    if (base.lineage >= lineage) break;
    lineage = base.lineage;
    last = base.round;
  }
  if (lost.empty()) return BaseChoice{kVersionZero, tunables};
  return absl::DataLossError(absl::StrCat(
      "no checkpoint is left to start from; damaged or missing: ", absl::StrJoin(lost, "; ")));
}

Lineage NextLineage(std::span<const ClaimOnDisk> claims) {
  Lineage newest = 0;
  for (const ClaimOnDisk& claim : claims) newest = std::max(newest, claim.lineage);
  return newest + 1;
}

}  // namespace tenor

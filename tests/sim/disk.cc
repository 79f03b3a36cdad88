#include "tests/sim/disk.h"

#include <utility>

namespace tenor::sim {

Lineage Disk::CreateClaim() {
  const Lineage lineage = newest_claim() + 1;
  claims_[lineage].lineage = lineage;
  return lineage;
}

void Disk::WriteClaim(Lineage lineage, const CheckpointName& base, const spec::Tunables& tunables) {
  ClaimOnDisk& claim = claims_[lineage];
  claim.base = base;
  claim.tunables = tunables;
}

std::vector<ClaimOnDisk> Disk::OtherClaims(Lineage own) const {
  std::vector<ClaimOnDisk> claims;
  for (const auto& [lineage, claim] : claims_) {
    if (lineage != own) claims.push_back(claim);
  }
  return claims;
}

std::vector<CheckpointOnDisk> Disk::Checkpoints() const {
  std::vector<CheckpointOnDisk> checkpoints;
  for (const auto& [name, manifest] : manifests_) checkpoints.push_back({name, false});
  for (const CheckpointName& name : renamed_damaged_) checkpoints.push_back({name, true});
  return checkpoints;
}

std::vector<CheckpointName> Disk::CompleteCheckpoints() const {
  std::vector<CheckpointName> names;
  for (const auto& [name, manifest] : manifests_) names.push_back(name);
  return names;
}

void Disk::WriteManifest(ManifestFile manifest) {
  const CheckpointName name = manifest.name;
  manifests_[name] = std::move(manifest);
}

const ManifestFile* Disk::FindManifest(const CheckpointName& name) const {
  auto it = manifests_.find(name);
  return it == manifests_.end() ? nullptr : &it->second;
}

void Disk::RenameDamaged(const CheckpointName& name) {
  if (manifests_.erase(name) > 0) renamed_damaged_.insert(name);
}

void Disk::Delete(const CheckpointName& name) {
  manifests_.erase(name);
  files_.erase(files_.lower_bound({name, 0}), files_.upper_bound({name, 1 << 20}));
}

void Disk::WriteShardFile(const CheckpointName& name, int shard, const ShardFile& file) {
  files_[{name, shard}] = file;
}

void Disk::DeleteShardFile(const CheckpointName& name, int shard) { files_.erase({name, shard}); }

const ShardFile* Disk::FindShardFile(const CheckpointName& name, int shard) const {
  auto it = files_.find({name, shard});
  return it == files_.end() ? nullptr : &it->second;
}

}  // namespace tenor::sim

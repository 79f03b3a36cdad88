#ifndef TENOR_TESTS_SIM_DISK_H_
#define TENOR_TESTS_SIM_DISK_H_

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "proto/spec.pb.h"
#include "server/core/base_choice.h"
#include "server/core/messages.h"
#include "server/core/names.h"

namespace tenor::sim {

// A shard's file of a checkpoint.
struct ShardFile {
  uint64_t weights = 0;  // hashes
  uint64_t moments = 0;
  Version version = 0;
};

struct ManifestFile {
  CheckpointName name;
  spec::Record record;
  std::vector<SavedFile> files;
};

// The run folder that all servers share. Single-threaded; every operation is atomic here, the
// processes put delays and their own deaths between them.
class Disk {
 public:
  // Creates lineage/<newest + 1> without a base.
  Lineage CreateClaim();
  void WriteClaim(Lineage lineage, const CheckpointName& base, const spec::Tunables& tunables);
  std::vector<ClaimOnDisk> OtherClaims(Lineage own) const;
  const ClaimOnDisk& claim(Lineage lineage) const { return claims_.at(lineage); }
  Lineage newest_claim() const { return claims_.empty() ? 0 : claims_.rbegin()->first; }

  std::vector<CheckpointOnDisk> Checkpoints() const;
  std::vector<CheckpointName> CompleteCheckpoints() const;
  void WriteManifest(ManifestFile manifest);
  const ManifestFile* FindManifest(const CheckpointName& name) const;
  void RenameDamaged(const CheckpointName& name);
  void Delete(const CheckpointName& name);

  void WriteShardFile(const CheckpointName& name, int shard, const ShardFile& file);
  void DeleteShardFile(const CheckpointName& name, int shard);
  const ShardFile* FindShardFile(const CheckpointName& name, int shard) const;
  // Its crc will be wrong at load.
  void Damage(const CheckpointName& name, int shard) { bad_crc_.insert({name, shard}); }
  bool damaged(const CheckpointName& name, int shard) const {
    return bad_crc_.contains({name, shard});
  }
  bool any_damage() const { return !bad_crc_.empty(); }

 private:
  std::map<Lineage, ClaimOnDisk> claims_;
  std::map<CheckpointName, ManifestFile> manifests_;
  std::set<CheckpointName> renamed_damaged_;
  std::map<std::pair<CheckpointName, int>, ShardFile> files_;
  std::set<std::pair<CheckpointName, int>> bad_crc_;
};

}  // namespace tenor::sim

#endif  // TENOR_TESTS_SIM_DISK_H_

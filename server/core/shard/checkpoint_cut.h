#ifndef TENOR_SERVER_CORE_SHARD_CHECKPOINT_CUT_H_
#define TENOR_SERVER_CORE_SHARD_CHECKPOINT_CUT_H_

#include <map>
#include <string>
#include <vector>

#include "server/core/shard/events.h"
#include "server/core/shard/operations.h"

namespace tenor::shard {

// Snapshots and saves of one shard: one at a time in a lineage. What ends in a later lineage than
// it began in is deleted. Single-threaded.
class CheckpointCut {
 public:
  // Saves of an older lineage count for nothing from now on.
  void BeginLineage(Lineage lineage);

  // A snapshot or save of the present lineage is in flight.
  bool busy() const { return current_ != CheckpointName{}; }
  // Masters and moments are being written: they must not change.
  bool snapshotting() const { return !snapshots_.empty(); }

  // Forgets an earlier failure. REQUIRES: !busy().
  void Begin(const CheckpointName& checkpoint, Operations* operations,
             std::vector<Effect>* effects);
  // A save that was ordered and cannot be begun.
  void Refuse(const CheckpointName& checkpoint, const std::string& error);

  // Each returns whether there was such an operation.
  bool OnSnapshotDone(const SnapshotDone& done, Operations* operations,
                      std::vector<Effect>* effects);
  bool OnSaveDone(const SaveDone& done, Operations* operations, std::vector<Effect>* effects);
  bool OnSaveFailed(const SaveFailed& failed, Operations* operations);

  const CheckpointName& saved() const { return saved_; }
  // Fills in saved, saved_file, failed and save_error.
  void Describe(Status* status) const;

 private:
  Lineage lineage_ = 0;
  CheckpointName current_;
  std::map<OperationId, CheckpointName> snapshots_;
  std::map<OperationId, CheckpointName> saves_;
  CheckpointName saved_;
  SavedFile saved_file_;
  CheckpointName failed_;
  std::string error_;
};

}  // namespace tenor::shard

#endif  // TENOR_SERVER_CORE_SHARD_CHECKPOINT_CUT_H_

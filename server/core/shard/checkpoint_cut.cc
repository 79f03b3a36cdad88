#include "server/core/shard/checkpoint_cut.h"

#include "base/check.h"

namespace tenor::shard {

void CheckpointCut::BeginLineage(Lineage lineage) {
  lineage_ = lineage;
  current_ = saved_ = failed_ = CheckpointName{};
  saved_file_ = SavedFile{};
  error_.clear();
}

void CheckpointCut::Begin(const CheckpointName& checkpoint, Operations* operations,
                          std::vector<Effect>* effects) {
  CHECK(!busy());
  current_ = checkpoint;
  failed_ = CheckpointName{};
  error_.clear();
  const OperationId operation = operations->Begin(OperationKind::kSnapshot);
  snapshots_.emplace(operation, checkpoint);
  effects->push_back(StartSnapshot{operation, checkpoint});
}

void CheckpointCut::Refuse(const CheckpointName& checkpoint, const std::string& error) {
  failed_ = checkpoint;
  error_ = error;
}

bool CheckpointCut::OnSnapshotDone(const SnapshotDone& done, Operations* operations,
                                   std::vector<Effect>* effects) {
  if (!operations->End(done.operation, OperationKind::kSnapshot)) return false;
  const CheckpointName checkpoint = snapshots_.extract(done.operation).mapped();
  if (!done.error.empty()) {
    if (checkpoint.lineage != lineage_) return true;
    current_ = CheckpointName{};
    Refuse(checkpoint, done.error);
    return true;
  }
  if (checkpoint.lineage != lineage_) {
    effects->push_back(DeleteFile{checkpoint});
    return true;
  }
  const OperationId operation = operations->Begin(OperationKind::kSave);
  saves_.emplace(operation, checkpoint);
  effects->push_back(StartSave{operation, checkpoint});
  return true;
}

bool CheckpointCut::OnSaveDone(const SaveDone& done, Operations* operations,
                               std::vector<Effect>* effects) {
  if (!operations->End(done.operation, OperationKind::kSave)) return false;
  const CheckpointName checkpoint = saves_.extract(done.operation).mapped();
  if (checkpoint.lineage != lineage_) {
    effects->push_back(DeleteFile{checkpoint});
    return true;
  }
  current_ = CheckpointName{};
  saved_ = checkpoint;
  saved_file_ = done.file;
  return true;
}

bool CheckpointCut::OnSaveFailed(const SaveFailed& failed, Operations* operations) {
  if (!operations->End(failed.operation, OperationKind::kSave)) return false;
  const CheckpointName checkpoint = saves_.extract(failed.operation).mapped();
  if (checkpoint.lineage != lineage_) return true;
  current_ = CheckpointName{};
  Refuse(checkpoint, failed.error);
  return true;
}

void CheckpointCut::Describe(Status* status) const {
  status->saved = saved_;
  status->saved_file = saved_file_;
  status->failed = failed_;
  status->save_error = error_;
}

}  // namespace tenor::shard

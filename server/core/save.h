#ifndef TENOR_SERVER_CORE_SAVE_H_
#define TENOR_SERVER_CORE_SAVE_H_

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "proto/spec.pb.h"
#include "server/core/events.h"
#include "server/core/messages.h"
#include "server/core/names.h"

namespace tenor {

// The one save in flight (docs/protocol.md 1, 4): all shards save; the claim is read; the manifest
// is written; the claim is read again; only then the checkpoint counts. Thread-compatible.
class Save {
 public:
  enum class Stage { kShards, kReadBefore, kWrite, kReadAfter };

  // `record` is the copy made at the verdict of the cut. by_cut: shards need a Cut order; else
  // Finish carries it. `failed_before`: shards that still report an older failure of this very
  // name.
  Save(const CheckpointName& name, spec::Record record, bool by_cut, int32_t shards,
       std::set<int32_t> failed_before);

  enum class News { kNothing, kAllSaved, kFailed };
  // Notes what shard k says of this save.
  News Note(int32_t shard, const Status& status);
  bool SavedBy(int32_t shard) const { return files_[shard].has_value(); }
  // REQUIRES: all saved.
  std::vector<SavedFile> Files() const;

  const CheckpointName& name() const { return name_; }
  const spec::Record& record() const { return record_; }
  bool by_cut() const { return by_cut_; }

  Stage stage = Stage::kShards;
  OperationId operation;            // of the stage; 0 in kShards
  std::vector<RequestId> requests;  // of operators who wait for this checkpoint

 private:
  const CheckpointName name_;
  const spec::Record record_;
  const bool by_cut_;
  std::vector<std::optional<SavedFile>> files_;
  std::set<int32_t> failed_before_;
};

}  // namespace tenor

#endif  // TENOR_SERVER_CORE_SAVE_H_

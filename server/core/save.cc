#include "server/core/save.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "proto/spec.pb.h"
#include "server/core/messages.h"
#include "server/core/names.h"

namespace tenor {

namespace {

bool Same(const CheckpointName& a, const CheckpointName& b) {
  return a.lineage == b.lineage && a.round == b.round;
}

}  // namespace

Save::Save(const CheckpointName& name, spec::Record record, bool by_cut, int32_t shards,
           std::set<int32_t> failed_before)
    : name_(name),
      record_(std::move(record)),
      by_cut_(by_cut),
      files_(shards),
      failed_before_(std::move(failed_before)) {}

Save::News Save::Note(int32_t shard, const Status& status) {
  if (stage != Stage::kShards) return News::kNothing;
  if (Same(status.saved, name_)) {
    files_[shard] = status.saved_file;
    const bool all = std::all_of(files_.begin(), files_.end(),
                                 [](const auto& file) { return file.has_value(); });
    return all ? News::kAllSaved : News::kNothing;
  }
  if (!Same(status.failed, name_)) {
    failed_before_.erase(shard);
    return News::kNothing;
  }
  return failed_before_.count(shard) > 0 ? News::kNothing : News::kFailed;
}

std::vector<SavedFile> Save::Files() const {
  std::vector<SavedFile> files;
  for (const auto& file : files_) files.push_back(*file);
  return files;
}

}  // namespace tenor

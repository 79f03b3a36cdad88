#ifndef TENOR_SERVER_CORE_SHARD_OPERATIONS_H_
#define TENOR_SERVER_CORE_SHARD_OPERATIONS_H_

#include <cstdint>
#include <map>
#include <optional>

#include "server/core/names.h"

namespace tenor::shard {

enum class OperationKind { kReduce, kNorms, kApply, kEncode, kSnapshot, kSave, kLoad };

// The operations in flight of one shard. Single-threaded. An operation is in here from its start to
// its completion, whatever becomes of the round or the lineage that it was for.
class Operations {
 public:
  OperationId Begin(OperationKind kind) {
    const OperationId id{++last_};
    in_flight_.emplace(id, kind);
    ++count_[kind];
    return id;
  }

  // False if no such operation is in flight: the completion is to be ignored.
  bool End(OperationId id, OperationKind kind) {
    const auto it = in_flight_.find(id);
    if (it == in_flight_.end() || it->second != kind) return false;
    in_flight_.erase(it);
    --count_[kind];
    return true;
  }

  bool Any(OperationKind kind) const {
    const auto it = count_.find(kind);
    return it != count_.end() && it->second > 0;
  }

  // Something reads or writes masters, moments or sums: nothing may be loaded. (A Save has its
  // bytes in a file.)
  bool ParametersInUse() const {
    const auto saves = count_.find(OperationKind::kSave);
    const size_t saving = saves == count_.end() ? 0 : saves->second;
    return in_flight_.size() > saving;
  }

 private:
  uint64_t last_ = 0;
  std::map<OperationId, OperationKind> in_flight_;
  std::map<OperationKind, size_t> count_;
};

}  // namespace tenor::shard

#endif  // TENOR_SERVER_CORE_SHARD_OPERATIONS_H_

#include "server/core/prune.h"

#include <algorithm>
#include <span>
#include <vector>

#include "server/core/effects.h"
#include "server/core/names.h"

namespace tenor {

std::vector<CheckpointName> CheckpointsToDelete(std::span<const CheckpointName> complete,
                                                const Prune& prune) {
  std::vector<CheckpointName> old;
  for (const CheckpointName& name : complete) {
    if (name <= prune.newest) old.push_back(name);
  }
  std::sort(old.begin(), old.end());
  const size_t keep =
      std::min(old.size(), static_cast<size_t>(std::max(prune.keep_checkpoints, 1)));
  old.resize(old.size() - keep);
  std::erase_if(old, [&](const CheckpointName& name) {
    return name == prune.base || (prune.keep_every > 0 && name.version % prune.keep_every == 0);
  });
  return old;
}

}  // namespace tenor

#ifndef TENOR_SERVER_CORE_PRUNE_H_
#define TENOR_SERVER_CORE_PRUNE_H_

#include <span>
#include <vector>

#include "server/core/effects.h"
#include "server/core/names.h"

namespace tenor {

// Which of `complete` to delete, ascending: all but the newest keep_checkpoints by (lineage,
// round), those whose version is a multiple of keep_every (0 = none), the base, and whatever is
// larger than `newest` (it belongs to somebody else). Pure.
std::vector<CheckpointName> CheckpointsToDelete(std::span<const CheckpointName> complete,
                                                const Prune& prune);

}  // namespace tenor

#endif  // TENOR_SERVER_CORE_PRUNE_H_

#ifndef TENOR_SERVER_CORE_ORDERS_H_
#define TENOR_SERVER_CORE_ORDERS_H_

#include <optional>
#include <vector>

#include "server/core/messages.h"
#include "server/core/names.h"
#include "server/core/round.h"

namespace tenor {

// What a coordinator wants of its shards at this moment.
struct Wanted {
  Install install;
  const Decided* decided = nullptr;  // null before the first verdict of the lineage
  const Open* open = nullptr;        // null between rounds, suspended or ending
  std::optional<Round> cut;          // Cut(lineage, round), not saved by this shard yet
};

// The next orders for a shard, a function of its last Status (docs/protocol.md 2 and 9.3): Install
// < Cut < Decide < Finish < Open. Nothing is queued and nothing acknowledged; an order that was
// lost is found missing in the next Status. An order may overtake the one before it: the shard
// refuses what is not enabled yet. A Cut that a shard has not saved holds back Decide and Finish,
// which would change what it is to save.
std::vector<CoordinatorToShard> OrdersFor(const Wanted& wanted, const Status& status);

}  // namespace tenor

#endif  // TENOR_SERVER_CORE_ORDERS_H_

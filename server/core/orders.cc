#include "server/core/orders.h"

#include <vector>

#include "server/core/messages.h"
#include "server/core/names.h"
#include "server/core/round.h"

namespace tenor {

namespace {

// Whether the Open behind this verdict may go out as well.
bool OrderVerdict(const Decided& decided, const Status& status,
                  std::vector<CoordinatorToShard>* orders) {
  if (decided.finish_enabled) {
    orders->push_back(decided.finish);
    return true;
  }
  if (status.phase == ShardPhase::kOpen) orders->push_back(decided.decide);
  return false;
}

}  // namespace

std::vector<CoordinatorToShard> OrdersFor(const Wanted& wanted, const Status& status) {
  const Lineage lineage = wanted.install.lineage;
  if (status.lineage > lineage) return {};
  if (status.lineage < lineage || status.phase == ShardPhase::kEmpty) return {wanted.install};
  if (status.phase < ShardPhase::kIdle) return {};
  std::vector<CoordinatorToShard> orders;
  const bool still = status.phase == ShardPhase::kIdle || status.phase == ShardPhase::kOpen;
  const bool cut = wanted.cut.has_value() && status.finished == *wanted.cut;
  if (cut && still) orders.push_back(Cut{lineage, *wanted.cut});
  bool may_open = true;
  if (wanted.decided != nullptr && status.finished < wanted.decided->finish.label.round) {
    may_open = !cut && OrderVerdict(*wanted.decided, status, &orders);
  }
  if (may_open && wanted.open != nullptr && status.open != wanted.open->label) {
    orders.push_back(*wanted.open);
  }
  return orders;
}

}  // namespace tenor

#include "server/core/round.h"

#include <algorithm>
#include <cstdint>
#include <span>

#include "absl/time/time.h"
#include "server/core/messages.h"
#include "server/core/names.h"

namespace tenor {

const Member* OpenRound::Find(Incarnation incarnation) const {
  for (const Member& member : view) {
    if (member.incarnation == incarnation) return &member;
  }
  return nullptr;
}

bool OpenRound::Complete(int32_t shards) const {
  if (ready.size() < static_cast<size_t>(shards)) return false;
  return std::all_of(view.begin(), view.end(),
                     [&](const Member& member) { return Reported(member.incarnation); });
}

void OpenRound::NoteComputed(Incarnation incarnation, absl::Duration clock) {
  if (!computed.insert(incarnation).second || half_at.has_value()) return;
  int64_t weight = 0;
  for (const Member& member : view) {
    if (computed.count(member.incarnation) > 0) weight += member.weight;
  }
  if (2 * weight >= WeightOf(view)) half_at = clock;
}

void OpenRound::ForgetView() {
  reports.clear();
  ready.clear();
  computed.clear();
  shards_finite = true;
  half_at.reset();
}

int64_t WeightOf(std::span<const Member> members) {
  int64_t weight = 0;
  for (const Member& member : members) weight += member.weight;
  return weight;
}

}  // namespace tenor

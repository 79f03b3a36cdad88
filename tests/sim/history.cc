#include "tests/sim/history.h"

#include <limits>

#include "absl/strings/str_cat.h"

namespace tenor::sim {

bool History::OnPath(Lineage lineage, RoundName name) const {
  Round last = std::numeric_limits<Round>::max();
  while (lineage > 0 && lineage != name.first) {
    auto base = bases.find(lineage);
    if (base == bases.end()) return false;
    lineage = base->second.lineage;
    last = base->second.round;
  }
  return lineage == name.first && name.second <= last;
}

std::string ToString(const Label& label) {
  return absl::StrCat(label.lineage, ".", label.round, ".", label.view);
}

}  // namespace tenor::sim

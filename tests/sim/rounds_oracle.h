#ifndef TENOR_TESTS_SIM_ROUNDS_ORACLE_H_
#define TENOR_TESTS_SIM_ROUNDS_ORACLE_H_

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "proto/spec.pb.h"
#include "server/core/effects.h"
#include "server/core/messages.h"
#include "server/core/names.h"
#include "tests/sim/history.h"

namespace tenor::sim {

// Invariants 3 and 12: labels, what is frozen with a round, and one verdict per round.
// Single-threaded.
class RoundsOracle {
 public:
  explicit RoundsOracle(History* history) : history_(history) {}

  // A lineage begins with these tunables accepted.
  void OnClaimed(Lineage lineage, const CheckpointName& base, const spec::Tunables& tunables);
  // The operator was told that the change is accepted, for rounds that compute on version `from`
  // and later.
  void OnAccepted(Lineage lineage, const spec::Tunables& change, Version from);
  // Both: true the first time that this label is seen.
  bool OnOpen(const Open& open);
  bool OnDirective(const Directive& directive);
  // An order to a shard. A cut is clean: it is made by a flush, and lanes are rebuilt after it.
  void OnFinish(const Finish& finish);
  void OnReport(const Report& report, int computation);
  // Enters the verdict into the history.
  void OnVerdict(const StepDone& done);

 private:
  struct Change {
    Version from = 0;
    spec::Tunables tunables;
  };
  // What Open and Directive both say of a round.
  struct Frozen {
    Version version = 0;
    spec::Codec::Id push_codec = spec::Codec::UNSPECIFIED;
    spec::Codec::Id pull_codec = spec::Codec::UNSPECIFIED;
    int loss_scale_log2 = 0;
    bool operator==(const Frozen&) const = default;
  };
  struct FrozenRound {
    Frozen frozen;
    spec::Tunables tunables;  // in force when it was frozen
  };
  spec::Tunables InForce(Lineage lineage, Version version) const;
  bool SeeLabel(const Label& label);
  const FrozenRound& SeeRound(const Label& label, const Frozen& frozen);
  void CheckLanes(const Directive& directive);
  void CheckTunables(const Directive& directive, const FrozenRound& round);
  void CheckConsumption(const Report& report);
  void CheckMember(const StepDone& done, const Member& member, Verdict* verdict);

  History* const history_;
  std::map<Lineage, Label> newest_;
  std::map<Lineage, std::vector<Change>> changes_;  // in order of acceptance
  std::map<RoundName, FrozenRound> rounds_;
  std::set<std::pair<Lineage, Version>> cut_;  // versions from which a lane starts anew
  std::map<std::pair<RoundName, Incarnation>, Directive> directives_;
};

}  // namespace tenor::sim

#endif  // TENOR_TESTS_SIM_ROUNDS_ORACLE_H_

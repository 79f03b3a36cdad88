#ifndef TENOR_TESTS_SIM_LEDGER_ORACLE_H_
#define TENOR_TESTS_SIM_LEDGER_ORACLE_H_

#include <cstdint>
#include <map>
#include <vector>

#include "server/core/messages.h"
#include "server/core/names.h"
#include "tests/sim/history.h"
#include "tests/sim/plan.h"

namespace tenor::sim {

// One entry per sample of each pass: how often that sample was committed on a path.
using CommittedSamples = std::vector<uint8_t>;

// Invariants 5 and 7: which samples and which residuals were committed beside each lineage.
// Single-threaded.
class LedgerOracle {
 public:
  LedgerOracle(const Plan& plan, History* history) : plan_(plan), history_(history) {}

  // A lineage begins from its base.
  void Begin(Lineage lineage, const CheckpointName& base);
  // The verdict of a round, after it has entered the history.
  void Commit(const Verdict& verdict);
  // What was committed when round `round` had its verdict.
  const CommittedSamples& At(Lineage lineage, Round round) const;
  const CommittedSamples& Now(Lineage lineage) const {
    return rounds_.at(lineage).rbegin()->second;
  }
  // Every sample of every pass exactly once.
  bool Complete(const CommittedSamples& samples) const;

  size_t Index(int64_t pass, int64_t segment, int64_t offset) const {
    return pass * plan_.pass_samples() + segment * plan_.segment_samples + offset;
  }

 private:
  void CommitLease(const Lease& lease, CommittedSamples* samples);
  void CheckReport(const Verdict& verdict, int computation);
  void CommitResiduals(const Verdict& verdict);

  const Plan& plan_;
  History* const history_;
  std::map<Lineage, std::map<Round, CommittedSamples>> rounds_;
  std::map<int, std::vector<RoundName>> carried_;  // residual -> rounds that applied it
};

}  // namespace tenor::sim

#endif  // TENOR_TESTS_SIM_LEDGER_ORACLE_H_

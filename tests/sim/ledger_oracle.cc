#include "tests/sim/ledger_oracle.h"

#include <algorithm>

#include "absl/strings/str_cat.h"

namespace tenor::sim {

void LedgerOracle::Begin(Lineage lineage, const CheckpointName& base) {
  CommittedSamples samples =
      base.lineage == 0 ? CommittedSamples(plan_.samples()) : At(base.lineage, base.round);
  rounds_[lineage][base.round] = std::move(samples);
}

const CommittedSamples& LedgerOracle::At(Lineage lineage, Round round) const {
  const auto& rounds = rounds_.at(lineage);
  auto it = rounds.upper_bound(round);
  return it == rounds.begin() ? it->second : std::prev(it)->second;
}

void LedgerOracle::Commit(const Verdict& verdict) {
  for (int computation : verdict.computations) CheckReport(verdict, computation);
  if (verdict.kind != VerdictKind::kApply && verdict.kind != VerdictKind::kDrop) return;
  CommittedSamples samples = Now(verdict.label.lineage);
  for (int computation : verdict.computations) {
    for (const Lease& lease : history_->computations[computation].leases) {
      CommitLease(lease, &samples);
    }
  }
  rounds_[verdict.label.lineage][verdict.label.round] = std::move(samples);
  if (verdict.kind == VerdictKind::kApply) CommitResiduals(verdict);
}

void LedgerOracle::CheckReport(const Verdict& verdict, int computation) {
  const Computation& computed = history_->computations[computation];
  const ReportSeen& report = history_->reports[verdict.label][computed.incarnation];
  if (report.consumption != computed.leases) {
    history_->Fail("I5", absl::StrCat("report and computation ", computation, " of ",
                                      ToString(verdict.label), " name different samples"));
  }
}

void LedgerOracle::CommitLease(const Lease& lease, CommittedSamples* samples) {
  const int64_t size = lease.segment == plan_.segments - 1
                           ? plan_.segment_samples - plan_.missing_samples
                           : plan_.segment_samples;
  if (lease.pass < 0 || lease.pass >= plan_.passes || lease.segment < 0 ||
      lease.segment >= plan_.segments || lease.from < 0 || lease.to > size) {
    history_->Fail("I5", absl::StrCat("a lease outside the data: pass ", lease.pass, " segment ",
                                      lease.segment, " [", lease.from, ", ", lease.to, ")"));
    return;
  }
  const size_t begin = Index(lease.pass, lease.segment, 0);
  if (lease.from > 0 && !(*samples)[begin + lease.from - 1]) {
    history_->Fail("I5", absl::StrCat("a commit does not continue the committed position of pass ",
                                      lease.pass, " segment ", lease.segment));
  }
  for (int64_t i = lease.from; i < lease.to; ++i) {
    if ((*samples)[begin + i]++ != 0) {
      history_->Fail("I5", absl::StrCat("sample ", i, " of pass ", lease.pass, " segment ",
                                        lease.segment, " is committed twice"));
    }
  }
}

bool LedgerOracle::Complete(const CommittedSamples& samples) const {
  return std::all_of(samples.begin(), samples.end(), [](uint8_t n) { return n == 1; });
}

void LedgerOracle::CommitResiduals(const Verdict& verdict) {
  const Lineage lineage = verdict.label.lineage;
  for (int computation : verdict.computations) {
    for (int source : history_->computations[computation].residual_of) {
      const Label& origin = history_->computations[source].label;
      auto decided = history_->verdicts.find({origin.lineage, origin.round});
      const bool applied = decided != history_->verdicts.end() &&
                           decided->second.kind == VerdictKind::kApply &&
                           std::count(decided->second.computations.begin(),
                                      decided->second.computations.end(), source) > 0;
      if (!applied || !history_->OnPath(lineage, {origin.lineage, origin.round})) {
        history_->Fail("I7", absl::StrCat("computation ", computation, " carries the residual of ",
                                          source, " which was not applied on this path"));
      }
      for (const RoundName& earlier : carried_[source]) {
        if (history_->OnPath(lineage, earlier)) {
          history_->Fail("I7",
                         absl::StrCat("the residual of computation ", source, " is carried twice"));
        }
      }
      carried_[source].push_back({lineage, verdict.label.round});
    }
  }
}

}  // namespace tenor::sim

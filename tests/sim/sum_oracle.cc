#include "tests/sim/sum_oracle.h"

#include "absl/strings/str_cat.h"
#include "base/random.h"

namespace tenor::sim {

void SumOracle::OnSums(const Label& label, const ShardState& before,
                       std::span<const ChunkSum> sums) {
  auto verdict = history_->verdicts.find({label.lineage, label.round});
  if (verdict == history_->verdicts.end() || verdict->second.label != label ||
      verdict->second.kind != VerdictKind::kApply) {
    history_->Fail("I3", absl::StrCat("shard ", before.shard, " applies ", ToString(label),
                                      " which was not decided so"));
    return;
  }
  for (const ChunkSum& sum : sums) CheckChunk(verdict->second, before, sum);
}

void SumOracle::CheckChunk(const Verdict& verdict, const ShardState& before, const ChunkSum& sum) {
  const std::vector<int>& expected = verdict.computations;
  const size_t members = expected.size();
  bool same = sum.contributions.size() == members;
  for (size_t i = 0; same && i < members; ++i) {
    const size_t rank = (Mix64(sum.chunk) + i) % members;
    const int found = sum.contributions[i].computation;
    same = found == expected[rank] ||
           (found == kNoComputation && history_->computations[expected[rank]].leases.empty());
  }
  if (!same) {
    std::string text =
        absl::StrCat("chunk ", sum.chunk, " of ", ToString(verdict.label), " sums computations");
    for (const Contribution& c : sum.contributions) absl::StrAppend(&text, " ", c.computation);
    absl::StrAppend(&text, "; the verdict has, by rank,");
    for (int computation : expected) absl::StrAppend(&text, " ", computation);
    history_->Fail("I1", std::move(text));
    return;
  }
  for (const Contribution& contribution : sum.contributions) {
    CheckContribution(verdict, before, contribution);
  }
}

void SumOracle::CheckContribution(const Verdict& verdict, const ShardState& before,
                                  const Contribution& contribution) {
  if (contribution.computation == kNoComputation) return;
  if (contribution.label != verdict.label) {
    history_->Fail("I1", absl::StrCat("contribution of ", ToString(contribution.label),
                                      " in the sum of ", ToString(verdict.label)));
  }
  const Computation& computation = history_->computations[contribution.computation];
  if (computation.label.lineage != verdict.label.lineage || computation.version != before.version ||
      computation.parameters[before.shard] != before.weights) {
    history_->Fail(
        "I2", absl::StrCat("computation ", contribution.computation, " of ", computation.member,
                           " used version ", computation.version, ", is applied to version ",
                           before.version, " of shard ", before.shard));
  }
  const Open& open = history_->opened[verdict.label];
  if (computation.loss_scale_log2 != open.loss_scale_log2 || computation.codec != open.push_codec) {
    history_->Fail("I2", absl::StrCat("loss scale or codec of computation ",
                                      contribution.computation, " is not that of its round"));
  }
  if (!computation.finite || !contribution.finite) {
    history_->Fail(
        "I2", absl::StrCat("computation ", contribution.computation, " is not finite and applied"));
  }
}

void SumOracle::OnApplied(const Label& label, const ShardState& after) {
  Progress& progress = progress_[{label.lineage, after.shard}];
  if (label.round != progress.applied + 1) {
    // Rounds between were decided without an apply.
    for (Round round = progress.applied + 1; round < label.round; ++round) {
      auto verdict = history_->verdicts.find({label.lineage, round});
      if (verdict != history_->verdicts.end() && verdict->second.kind != VerdictKind::kApply) {
        continue;
      }
      history_->Fail("I3", absl::StrCat("shard ", after.shard, " applied round ", label.round,
                                        " without round ", round));
    }
  }
  if (label.round <= progress.applied) {
    history_->Fail("I3", absl::StrCat("shard ", after.shard, " applied round ", label.round,
                                      " after round ", progress.applied));
  }
  progress.applied = label.round;
  Name(label.lineage, after);
}

void SumOracle::OnStatus(const Status& status) {
  if (status.phase < ShardPhase::kIdle) return;
  auto progress = progress_.find({status.lineage, status.shard});
  if (progress == progress_.end()) return;
  for (Round round = progress->second.finished + 1; round <= status.finished; ++round) {
    CheckFinished(status.lineage, round, status.shard);
  }
  if (status.finished < progress->second.finished) {
    history_->Fail("I3",
                   absl::StrCat("shard ", status.shard, " fell back to round ", status.finished));
  }
  progress->second.finished = status.finished;
}

void SumOracle::CheckFinished(Lineage lineage, Round round, int shard) {
  auto verdict = history_->verdicts.find({lineage, round});
  if (verdict == history_->verdicts.end()) {
    history_->Fail("I3", absl::StrCat("shard ", shard, " finished round ", lineage, ".", round,
                                      " which has no verdict"));
    return;
  }
  if (verdict->second.kind == VerdictKind::kApply && progress_[{lineage, shard}].applied < round) {
    history_->Fail("I3", absl::StrCat("shard ", shard, " finished round ", lineage, ".", round,
                                      " without its apply"));
  }
}

void SumOracle::OnLoaded(Lineage lineage, Round base_round, const ShardState& state) {
  progress_[{lineage, state.shard}] = {base_round, base_round};
  Name(lineage, state);
}

void SumOracle::Name(Lineage lineage, const ShardState& state) {
  auto [it, fresh] = hashes_.insert({{lineage, state.version, state.shard}, state.hash()});
  if (!fresh && it->second != state.hash()) {
    history_->Fail("I4", absl::StrCat("two parameter states of lineage ", lineage, " version ",
                                      state.version, " shard ", state.shard));
  }
}

uint64_t SumOracle::HashOf(Lineage lineage, Version version, int shard) const {
  auto it = hashes_.find({lineage, version, shard});
  return it == hashes_.end() ? 0 : it->second;
}

}  // namespace tenor::sim

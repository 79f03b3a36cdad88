#include "tests/sim/manifest_oracle.h"

#include <algorithm>
#include <vector>

#include "absl/strings/str_cat.h"
#include "server/core/ledger.h"
#include "tests/sim/world.h"

namespace tenor::sim {
namespace {

int64_t SegmentSize(const Plan& plan, int64_t segment) {
  return segment == plan.segments - 1 ? plan.segment_samples - plan.missing_samples
                                      : plan.segment_samples;
}

// The set that a durable ledger describes.
CommittedSamples Expand(const World& world, const LedgerOracle& oracle,
                        const spec::Ledger& ledger) {
  const Plan& plan = world.plan();
  CommittedSamples samples(plan.samples());
  auto fill = [&](int64_t pass, int64_t segment, int64_t count, uint8_t value) {
    auto begin = samples.begin() + oracle.Index(pass, segment, 0);
    std::fill(begin, begin + count, value);
  };
  for (int64_t pass = 0; pass <= ledger.pass() && pass < plan.passes; ++pass) {
    const std::vector<int64_t> order = PassOrder(plan.seed, pass, plan.segments);
    const int64_t dealt = pass < ledger.pass() ? plan.segments : ledger.dealt();
    for (int64_t i = 0; i < dealt; ++i) fill(pass, order[i], SegmentSize(plan, order[i]), 1);
  }
  for (const spec::OpenSegment& open : ledger.open()) {
    fill(open.pass(), open.segment(), SegmentSize(plan, open.segment()), 0);
    fill(open.pass(), open.segment(), open.position(), 1);
  }
  return samples;
}

void CheckFiles(World* world, const CheckpointName& name) {
  for (int shard = 0; shard < world->plan().shards; ++shard) {
    const ShardFile* file = world->disk().FindShardFile(name, shard);
    const uint64_t expected = world->sums().HashOf(name.lineage, name.version, shard);
    const uint64_t found =
        file == nullptr ? 0 : ShardState{shard, file->version, file->weights, file->moments}.hash();
    if (file == nullptr || found != expected || file->version != name.version) {
      world->history().Fail(
          "I6", absl::StrCat("checkpoint ", name.lineage, ".", name.round,
                             " does not hold version ", name.version, " of shard ", shard));
    }
  }
}

}  // namespace

void CheckManifest(World* world, const WriteManifest& effect) {
  const CheckpointName& name = effect.checkpoint;
  const CommittedSamples& committed = world->ledger().At(name.lineage, name.round);
  if (Expand(*world, world->ledger(), effect.record.ledger()) != committed) {
    world->history().Fail("I6", absl::StrCat("the ledger of manifest ", name.lineage, ".",
                                             name.round, " is not that of its parameters"));
  }
  if (effect.record.version() != name.version || effect.record.round() != name.round) {
    world->history().Fail("I6", absl::StrCat("the record of manifest ", name.lineage, ".",
                                             name.round, " is of another round"));
  }
  CheckFiles(world, name);
}

bool EndIsDurable(World* world, Lineage lineage) {
  const CheckpointName base = world->history().bases[lineage];
  for (const CheckpointName& name : world->disk().CompleteCheckpoints()) {
    if (name.lineage != lineage && name != base) continue;
    if (world->disk().FindManifest(name)->record.ended()) return true;
  }
  return false;
}

void CheckComplete(World* world, Lineage lineage) {
  if (world->ledger().Complete(world->ledger().Now(lineage))) return;
  world->history().Fail(
      "I5", absl::StrCat("lineage ", lineage, " ended and not every sample is committed once"));
}

void CheckStopIsDurable(World* world, Lineage lineage) {
  const auto& verdicts = world->history().verdicts;
  auto last = verdicts.lower_bound({lineage + 1, 0});
  if (last == verdicts.begin() || std::prev(last)->first.first != lineage) return;
  const Round round = std::prev(last)->first.second;
  for (const CheckpointName& name : world->disk().CompleteCheckpoints()) {
    if (name.lineage == lineage && name.round == round) return;
  }
  world->history().Fail("I10", absl::StrCat("Done is said in lineage ", lineage, " and round ",
                                            round, " is not durable"));
}

}  // namespace tenor::sim

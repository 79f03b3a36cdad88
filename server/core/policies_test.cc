// Tables for the pure rules of the core: schedule, loss scale, tunables, base, cuts, prune, stop.
#include <cmath>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "server/core/base_choice.h"
#include "server/core/checkpoint_policy.h"
#include "server/core/prune.h"
#include "server/core/scaler.h"
#include "server/core/schedule.h"
#include "server/core/stop.h"
#include "server/core/tunables.h"
#include "server/core/verdict.h"

namespace tenor {
namespace {

TEST(Schedule, Kinds) {
  spec::StopSpec stop;
  stop.set_updates(100);
  spec::ScheduleSpec schedule;
  schedule.mutable_constant()->set_peak(2);
  EXPECT_EQ(LearningRate(schedule, stop, {50, 0, 1}, 0.5), 1);
  schedule.mutable_linear()->set_peak(2);
  EXPECT_EQ(LearningRate(schedule, stop, {0, 0, 1}, 1), 2);
  EXPECT_EQ(LearningRate(schedule, stop, {75, 0, 1}, 1), 0.5);
  EXPECT_EQ(LearningRate(schedule, stop, {101, 0, 1}, 1), 0);
  schedule.mutable_linear_horizon()->set_peak(2);
  schedule.mutable_linear_horizon()->set_horizon(200);
  EXPECT_EQ(LearningRate(schedule, stop, {100, 0, 1}, 1), 1);
  EXPECT_EQ(LearningRate(schedule, stop, {300, 0, 1}, 1), 1e-8);
}

TEST(Schedule, PolyJumpsAtTheEndOfTheWarmUp) {
  // facts: LAMB phase 1, 7038 steps, 2000 of warm-up: the rate falls to 0.846 of the peak.
  spec::StopSpec stop;
  stop.set_updates(7038);
  spec::ScheduleSpec schedule;
  schedule.mutable_poly()->set_peak(1);
  schedule.mutable_poly()->set_warmup(2000);
  EXPECT_EQ(LearningRate(schedule, stop, {0, 0, 1}, 1), 1.0 / 2000);
  EXPECT_EQ(LearningRate(schedule, stop, {1999, 0, 1}, 1), 1);
  EXPECT_NEAR(LearningRate(schedule, stop, {2000, 0, 1}, 1), 0.846, 5e-4);
  EXPECT_EQ(LearningRate(schedule, stop, {7037, 0, 1}, 1), 0);
}

TEST(Schedule, KeyAndBatchRule) {
  spec::StopSpec stop;
  stop.set_samples(1000);
  spec::ScheduleSpec schedule;
  schedule.set_key(spec::ScheduleKey::SAMPLES);
  schedule.mutable_linear()->set_peak(1);
  EXPECT_EQ(LearningRate(schedule, stop, {7, 250, 64}, 1), 0.75);
  schedule.set_reference_batch(16);
  schedule.set_batch_lr_rule(spec::BatchLrRule::SQRT);
  EXPECT_EQ(LearningRate(schedule, stop, {7, 250, 64}, 1), 1.5);
  schedule.set_batch_lr_rule(spec::BatchLrRule::LINEAR);
  EXPECT_EQ(LearningRate(schedule, stop, {7, 250, 64}, 1), 3);
}

TEST(Schedule, Refusals) {
  spec::StopSpec stop;
  spec::ScheduleSpec schedule;
  EXPECT_FALSE(CheckSchedule(schedule, stop).ok());
  schedule.mutable_linear()->set_peak(1);
  EXPECT_FALSE(CheckSchedule(schedule, stop).ok());
  stop.set_updates(10);
  EXPECT_TRUE(CheckSchedule(schedule, stop).ok());
  schedule.set_batch_lr_rule(spec::BatchLrRule::SQRT);
  EXPECT_FALSE(CheckSchedule(schedule, stop).ok());
}

constexpr ScalerRules kRules{true, 4, 1, 5, 2, 3};

TEST(Scaler, Judge) {
  spec::LossScalerState state = InitialScaler(kRules);
  EXPECT_EQ(Judge(kRules, state, true, 1), VerdictKind::kApply);
  EXPECT_EQ(Judge(kRules, state, true, 0), VerdictKind::kVoid);
  EXPECT_EQ(Judge(kRules, state, false, 1), VerdictKind::kSkip);
  state.set_skips(3);
  EXPECT_EQ(Judge(kRules, state, false, 1), VerdictKind::kDrop);
  state.set_skips(0);
  state.set_log2(1);
  EXPECT_EQ(Judge(kRules, state, false, 1), VerdictKind::kDrop);
  EXPECT_EQ(Judge({}, InitialScaler({}), false, 1), VerdictKind::kDrop);
}

TEST(Scaler, GrowsHalvesAndCounts) {
  spec::LossScalerState state = InitialScaler(kRules);
  state = AfterVerdict(kRules, state, VerdictKind::kApply);
  EXPECT_EQ(state.log2(), 4);
  state = AfterVerdict(kRules, state, VerdictKind::kVoid);
  EXPECT_EQ(state.clean_rounds(), 1);
  state = AfterVerdict(kRules, state, VerdictKind::kApply);
  EXPECT_EQ(state.log2(), 5);
  state = AfterVerdict(kRules, state, VerdictKind::kSkip);
  EXPECT_EQ(state.log2(), 4);
  EXPECT_EQ(state.skips(), 1);
  state = AfterVerdict(kRules, state, VerdictKind::kDrop);
  EXPECT_EQ(state.skips(), 0);
  EXPECT_EQ(state.drops(), 1);
  state = AfterVerdict(kRules, state, VerdictKind::kApply);
  EXPECT_EQ(state.drops(), 0);
  EXPECT_EQ(AfterVerdict({}, InitialScaler({}), VerdictKind::kDrop).log2(), 0);
}

TEST(Tunables, FromStepHoldsForEveryRoundOnThatVersionOrLater) {
  TunablesBook book(WithDefaults({}));
  spec::Tunables change;
  change.set_accumulation_steps(4);
  change.set_min_workers(9);
  book.Accept(change, 10);
  EXPECT_EQ(book.in_force().min_workers(), 9);
  EXPECT_EQ(book.FreezeAt(9).accumulation_steps(), 1);
  EXPECT_EQ(book.Pending().accumulation_steps(), 4);
  EXPECT_EQ(book.accepted().accumulation_steps(), 4);
  EXPECT_EQ(book.FreezeAt(10).accumulation_steps(), 4);
  EXPECT_FALSE(book.Pending().has_accumulation_steps());
}

// Found by the simulation: the older change undid the newer one at its step.
TEST(Tunables, ChangeThatWaitsDoesNotUndoALaterOne) {
  TunablesBook book(WithDefaults({}));
  spec::Tunables older;
  older.set_accumulation_steps(3);
  older.set_checkpoint_every(7);
  book.Accept(older, 2);
  spec::Tunables newer;
  newer.set_accumulation_steps(5);
  book.Accept(newer, 0);
  EXPECT_EQ(book.FreezeAt(1).accumulation_steps(), 5);
  EXPECT_EQ(book.FreezeAt(2).accumulation_steps(), 5);
  EXPECT_EQ(book.FreezeAt(2).checkpoint_every(), 7);
  EXPECT_EQ(book.accepted().accumulation_steps(), 5);
}

TEST(Tunables, Refusals) {
  spec::Tunables change;
  EXPECT_TRUE(CheckTunables(change).ok());
  change.set_learning_rate_scale(std::nan(""));
  EXPECT_FALSE(CheckTunables(change).ok());
  change.set_learning_rate_scale(100);
  EXPECT_TRUE(CheckTunables(change).ok());
  change.set_accumulation_steps(65537);
  EXPECT_EQ(CheckTunables(change).message(), "accumulation_steps is 65537, not within 1..65536");
}

CheckpointName At(Lineage lineage, Round round) { return {lineage, round, round}; }

TEST(ChooseBase, Table) {
  const spec::Tunables initial = WithDefaults({});
  const auto choose = [&](std::vector<ClaimOnDisk> claims,
                          std::vector<CheckpointOnDisk> checkpoints) -> std::string {
    const auto choice = ChooseBase(claims, checkpoints, initial);
    if (!choice.ok()) return "lost";
    return std::to_string(choice->base.lineage) + "/" + std::to_string(choice->base.round);
  };
  EXPECT_EQ(choose({}, {}), "0/0");
  // A claim without base is void.
  EXPECT_EQ(choose({{1, At(0, 0), {}}, {2, std::nullopt, {}}}, {{At(1, 4)}, {At(1, 8)}}), "1/8");
  // The newest lineage has no checkpoint of its own: its base, not a later orphan of an older one.
  EXPECT_EQ(choose({{1, At(0, 0), {}}, {2, At(1, 4), {}}}, {{At(1, 4)}, {At(1, 8)}}), "1/4");
  // Damaged ones: the next older on the path.
  EXPECT_EQ(choose({{1, At(0, 0), {}}, {2, At(1, 4), {}}},
                   {{At(1, 2)}, {At(1, 4), true}, {At(1, 8)}, {At(2, 6), true}}),
            "1/2");
  // None is left: never version 0.
  EXPECT_EQ(choose({{1, At(0, 0), {}}}, {{At(1, 4), true}}), "lost");
  EXPECT_EQ(choose({{1, At(0, 0), {}}, {2, At(1, 4), {}}}, {}), "lost");
  EXPECT_EQ(choose({{2, At(1, 4), {}}}, {{At(1, 4)}}), "1/4");
  EXPECT_EQ(NextLineage(std::vector<ClaimOnDisk>{{1, At(0, 0), {}}, {5, std::nullopt, {}}}), 6);
}

TEST(CheckpointPolicy, Table) {
  EXPECT_EQ(AskCut({.next = 4, .every = 4}), CutAnswer::kEvery);
  EXPECT_EQ(AskCut({.next = 5, .every = 4}), CutAnswer::kNo);
  EXPECT_EQ(AskCut({.next = 4, .every = 4, .saving = true}), CutAnswer::kLeftOut);
  EXPECT_EQ(AskCut({.next = 5, .every = 0, .asked = true}), CutAnswer::kAsked);
  EXPECT_EQ(AskCut({.next = 5, .every = 0, .saving = true, .asked = true}), CutAnswer::kNo);
  EXPECT_EQ(AskCut({.next = 5, .every = 4, .first_due = true}), CutAnswer::kFirst);
  EXPECT_EQ(AskCut({.next = 5, .every = 0, .first_due = true}), CutAnswer::kNo);
}

TEST(Prune, KeepsTheNewestTheMultiplesAndTheBase) {
  std::vector<CheckpointName> all;
  for (Round round = 1; round <= 9; ++round) all.push_back(At(1, round));
  const Prune prune{.keep_checkpoints = 2, .keep_every = 4, .base = At(1, 2), .newest = At(1, 8)};
  const std::vector<CheckpointName> gone = CheckpointsToDelete(all, prune);
  EXPECT_EQ(gone, (std::vector<CheckpointName>{At(1, 1), At(1, 3), At(1, 5), At(1, 6)}));
}

TEST(Stop, Table) {
  spec::StopSpec stop;
  stop.set_updates(10);
  stop.set_loss_below(1);
  stop.set_data_epochs(2);
  EXPECT_FALSE(EndReason(stop, {9, 0, false, 1.0}));
  EXPECT_TRUE(EndReason(stop, {10, 0, false, 1.0}));
  EXPECT_TRUE(EndReason(stop, {9, 0, true, 1.0}));
  EXPECT_TRUE(EndReason(stop, {9, 0, false, 0.9}));
  EXPECT_FALSE(EndReason(stop, {9, 0, false, std::nullopt}));
}

TEST(Verdict, TheSumDoesNotDependOnTheNumberOfShards) {
  const std::vector<double> chunks = {1e16, 1, 3, 1e-3, 7, 1e15, 0.1};
  double expected = 0;
  for (double x : chunks) expected += x;
  for (size_t shards = 1; shards <= 8; ++shards) {
    std::vector<std::vector<double>> by_shard(shards);
    for (size_t c = 0; c < chunks.size(); ++c) by_shard[c % shards].push_back(chunks[c]);
    EXPECT_EQ(AddChunks(by_shard, 7), expected);
  }
}

TEST(Verdict, ClipAndTrustRatios) {
  EXPECT_EQ(ClipCoefficient(4, 1), 0.25);
  EXPECT_EQ(ClipCoefficient(0.5, 1), 1);
  EXPECT_EQ(ClipCoefficient(4, 0), 1);
  std::vector<int32_t> bad;
  const std::vector<std::vector<PartialNorm>> norms = {
      {{0, 9, 1, 0}, {2, 1, INFINITY, 2}}, {{0, 16, 24, 1}, {1, 0, 4, 1}, {3, INFINITY, 1, 3}}};
  EXPECT_EQ(TrustRatios(norms, 4, &bad), (std::vector<double>{1, 1, 0, 1}));
  EXPECT_EQ(bad, std::vector<int32_t>{3});
}

}  // namespace
}  // namespace tenor

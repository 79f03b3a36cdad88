#include "server/core/ledger.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

namespace tenor {
namespace {

Member Of(const std::string& name, int32_t weight = 1) { return {name, {1}, weight}; }

std::string Show(const std::vector<Lease>& leases) {
  std::string out;
  for (const Lease& x : leases) {
    out += std::to_string(x.pass) + "/" + std::to_string(x.segment) + "[" + std::to_string(x.from) +
           "," + std::to_string(x.to) + ")@" + std::to_string(x.lane) + " ";
  }
  return out;
}

TEST(PassOrder, IsAPermutationThatDependsOnSeedAndPass) {
  const std::vector<int64_t> order = PassOrder(7, 0, 1000);
  std::vector<int64_t> sorted = order;
  std::sort(sorted.begin(), sorted.end());
  for (int64_t i = 0; i < 1000; ++i) EXPECT_EQ(sorted[i], i);
  EXPECT_EQ(order, PassOrder(7, 0, 1000));
  EXPECT_NE(order, PassOrder(7, 1, 1000));
  EXPECT_NE(order, PassOrder(8, 0, 1000));
}

TEST(Ledger, DealsAgainWhatWasNotCommitted) {
  Ledger ledger({.samples = 100, .segment_samples = 10}, {});
  const DealShape shape{.lanes = 2, .slots_per_lane = 3, .slot_samples = 4};
  const std::vector<Lease> first = ledger.Deal(Of("a"), shape);
  EXPECT_EQ(Show(first), Show(ledger.Deal(Of("a"), shape)));
  ledger.Commit("a", first);
  EXPECT_NE(Show(first), Show(ledger.Deal(Of("a"), shape)));
}

TEST(Ledger, AShortLastSlotUsesUpItsSlot) {
  Ledger ledger({.samples = 30, .segment_samples = 10}, {});
  // 10 samples take slots of 4, 4 and 2; the fourth slot opens the next segment.
  const std::vector<Lease> leases =
      ledger.Deal(Of("a"), {.lanes = 1, .slots_per_lane = 4, .slot_samples = 4});
  ASSERT_EQ(leases.size(), 2u);
  EXPECT_EQ(leases[0].to - leases[0].from, 10);
  EXPECT_EQ(leases[1].to - leases[1].from, 4);
}

TEST(Ledger, TheLastSegmentIsShort) {
  const DataShape data{.samples = 25, .segment_samples = 10};
  EXPECT_EQ(data.Segments(), 3);
  EXPECT_EQ(data.SegmentSize(2), 5);
}

TEST(Ledger, AWeightOfTwoHasTwiceTheLanes) {
  Ledger ledger({.samples = 100, .segment_samples = 10}, {});
  const std::vector<Lease> leases = ledger.Deal(Of("a", 2), {.lanes = 3});
  EXPECT_EQ(leases.size(), 6u);
  EXPECT_EQ(leases.back().lane, 5);
}

TEST(Ledger, ReturnedSegmentsGoFirstFromTheCommittedPosition) {
  Ledger ledger({.samples = 100, .segment_samples = 10}, {});
  const DealShape shape{.lanes = 1, .slots_per_lane = 1, .slot_samples = 4};
  std::vector<Lease> a = ledger.Deal(Of("a"), shape);
  ledger.Deal(Of("b"), shape);
  ledger.Commit("a", a);
  const std::vector<Member> view = {Of("b"), Of("c")};
  ledger.ReturnOutside(view, shape.lanes);
  const std::vector<Lease> c = ledger.Deal(Of("c"), shape);
  ASSERT_EQ(c.size(), 1u);
  EXPECT_EQ(c[0].segment, a[0].segment);
  EXPECT_EQ(c[0].from, 4);
}

TEST(Ledger, LessWeightReturnsTheUpperLanes) {
  Ledger ledger({.samples = 100, .segment_samples = 10}, {});
  const DealShape shape{.lanes = 1, .slots_per_lane = 1, .slot_samples = 4};
  const std::vector<Lease> two = ledger.Deal(Of("a", 2), shape);
  const std::vector<Member> view = {Of("a", 1)};
  ledger.ReturnOutside(view, shape.lanes);
  EXPECT_EQ(ledger.Deal(Of("b"), shape)[0].segment, two[1].segment);
}

TEST(Ledger, EverySampleOnceInEachPassWithMembersComingAndGoing) {
  const DataShape data{.samples = 103, .segment_samples = 10, .passes = 3, .seed = 5};
  Ledger ledger(data, {});
  const DealShape shape{.lanes = 2, .slots_per_lane = 2, .slot_samples = 3};
  std::set<std::pair<int64_t, int64_t>> seen;
  for (int round = 0; !ledger.Exhausted(); ++round) {
    ASSERT_LT(round, 1000);
    std::vector<Member> view = {Of("a")};
    if (round % 3 != 0) view.push_back(Of("b", 1 + round % 2));
    ledger.ReturnOutside(view, shape.lanes);
    for (const Member& member : view) {
      const std::vector<Lease> leases = ledger.Deal(member, shape);
      if (round % 5 == 4) continue;  // a skip
      ledger.Commit(member.name, leases);
      for (const Lease& x : leases) {
        for (int64_t i = x.from; i < x.to; ++i) {
          EXPECT_TRUE(seen.insert({x.pass, x.segment * 10 + i}).second);
        }
      }
    }
    ledger = Ledger(data, ledger.Durable());
  }
  EXPECT_EQ(seen.size(), 309u);
  EXPECT_EQ(ledger.committed_samples(), 309);
}

TEST(Ledger, ADurableCopyDealsTheSame) {
  const DataShape data{.samples = 1000, .segment_samples = 7, .seed = 3};
  Ledger ledger(data, {});
  const DealShape shape{.lanes = 3, .slots_per_lane = 5, .slot_samples = 2};
  for (int i = 0; i < 5; ++i) ledger.Commit("a", ledger.Deal(Of("a"), shape));
  Ledger copy(data, ledger.Durable());
  EXPECT_EQ(Show(copy.Deal(Of("a"), shape)), Show(ledger.Deal(Of("a"), shape)));
}

TEST(Ledger, HintsContinueTheLastSegmentOfALane) {
  Ledger ledger({.samples = 100, .segment_samples = 10}, {});
  const DealShape shape{.lanes = 1, .slots_per_lane = 2, .slot_samples = 4};
  const std::vector<Lease> leases = ledger.Deal(Of("a"), shape);
  const std::vector<Lease> hints = ledger.Hints(leases, shape);
  ASSERT_EQ(hints.size(), 1u);
  EXPECT_EQ(hints[0].from, 8);
  EXPECT_EQ(hints[0].to, 10);
}

TEST(Ledger, RefusesADurableFormThatDoesNotFit) {
  const DataShape data{.samples = 100, .segment_samples = 10};
  spec::Ledger ledger;
  ledger.set_dealt(11);
  EXPECT_FALSE(Ledger::CheckDurable(data, ledger).ok());
  ledger.set_dealt(1);
  spec::OpenSegment* open = ledger.add_open();
  open->set_position(10);
  EXPECT_FALSE(Ledger::CheckDurable(data, ledger).ok());
  open->set_position(9);
  EXPECT_TRUE(Ledger::CheckDurable(data, ledger).ok());
  *ledger.add_open() = ledger.open(0);
  EXPECT_FALSE(Ledger::CheckDurable(data, ledger).ok());
}

TEST(CheckConsumption, WantsPartsOfWhatWasDealt) {
  const std::vector<Lease> dealt = {{0, 3, 4, 8, 0}, {0, 5, 0, 4, 1}};
  const auto check = [&](std::vector<Lease> consumption, int64_t samples) {
    return CheckConsumption(dealt, consumption, samples).ok();
  };
  EXPECT_TRUE(check(dealt, 8));
  EXPECT_TRUE(check({}, 0));
  EXPECT_TRUE(check({{0, 3, 4, 6, 0}}, 2));
  EXPECT_FALSE(check({{0, 3, 4, 6, 0}}, 3));
  EXPECT_FALSE(check({{0, 3, 5, 8, 0}}, 3));
  EXPECT_FALSE(check({{0, 3, 4, 9, 0}}, 5));
  EXPECT_FALSE(check({{0, 3, 4, 8, 1}}, 4));
  EXPECT_FALSE(check({{0, 4, 0, 4, 0}}, 4));
  EXPECT_FALSE(check({{0, 3, 4, 8, 0}, {0, 3, 4, 8, 0}}, 8));
}

}  // namespace
}  // namespace tenor

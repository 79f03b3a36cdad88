#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tests/sim/scenarios.h"
#include "tests/sim/seed_run.h"

namespace tenor::sim {
namespace {

constexpr uint64_t kSeeds = 200;

TEST(Simulation, InvariantsHold) {
  for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const SeedResult result = RunSeed(seed, nullptr);
    ASSERT_EQ(result.violation.invariant, "")
        << result.violation.text << "\nreplay: sim --seeds " << seed << ":1 --trace";
  }
}

TEST(Simulation, SameSeedSameTrace) {
  for (uint64_t seed = 100; seed <= kSeeds; seed += 100) {
    EXPECT_EQ(CheckRepeatable(seed).text, "") << "seed " << seed;
  }
}

class ScenarioTest : public testing::TestWithParam<Scenario> {};

TEST_P(ScenarioTest, GivesItsFigures) {
  const ScenarioResult result = RunScenario(GetParam(), nullptr);
  EXPECT_EQ(result.error, "") << "evictions " << result.figures.evictions << ", lineages "
                              << result.figures.lineages << ", views " << result.figures.views
                              << ", rounds " << result.figures.rounds()
                              << "\nreplay: sim --scenario " << GetParam().name << " --trace";
}

INSTANTIATE_TEST_SUITE_P(Figures, ScenarioTest, testing::ValuesIn(AllScenarios()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace tenor::sim

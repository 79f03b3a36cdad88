#include "ops/optim/adam.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <random>
#include <span>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "ops/cpu/instruction_set.h"
#include "ops/optim/decay_range.h"

namespace tenor {
namespace {

std::vector<uint32_t> Bits(const std::vector<float>& values) {
  std::vector<uint32_t> bits;
  for (const float value : values) bits.push_back(std::bit_cast<uint32_t>(value));
  return bits;
}

std::vector<float> Uniform(size_t count, uint32_t seed, float low, float high) {
  std::mt19937 bits(seed);
  std::vector<float> values(count);
  for (float& value : values) {
    value = low + (high - low) * (static_cast<float>(bits() >> 8) * 0x1p-24f);
  }
  return values;
}

struct State {
  std::vector<float> weight, m, v;
};

State SomeState(size_t count) {
  return {Uniform(count, 1, -2, 2), Uniform(count, 2, -0.1f, 0.1f), Uniform(count, 3, 0, 0.01f)};
}

void ExpectSameBits(const State& a, const State& b) {
  EXPECT_EQ(Bits(a.weight), Bits(b.weight));
  EXPECT_EQ(Bits(a.m), Bits(b.m));
  EXPECT_EQ(Bits(a.v), Bits(b.v));
}

class AdamTest : public testing::TestWithParam<InstructionSet> {
 protected:
  static void Step(const AdamOptions& options, std::span<const float> gradient,
                   std::span<const DecayRange> decay, State* state) {
    AdamStep(GetParam(), options, 3, 0.01f, 0.5f, gradient, decay, state->weight, state->m,
             state->v);
  }
};

// One case of testdata/adam_golden.txt; its generator explains the form.
struct GoldenElement {
  double w, m, v;
  int decays;
  std::vector<double> sums;
  double final_w, final_m, final_v;
};

struct GoldenCase {
  std::string name;
  AdamOptions options;
  float learning_rate, multiplier;
  int64_t first_update;
  int steps;
  std::vector<GoldenElement> elements;
};

GoldenElement ParseElement(std::istream& line, int steps) {
  GoldenElement e;
  line >> e.w >> e.m >> e.v >> e.decays;
  e.sums.resize(static_cast<size_t>(steps));
  for (double& sum : e.sums) line >> sum;
  line >> e.final_w >> e.final_m >> e.final_v;
  EXPECT_FALSE(line.fail());
  return e;
}

GoldenCase ParseCase(std::istream& line) {
  GoldenCase c;
  line >> c.name >> c.options.beta1 >> c.options.beta2 >> c.options.epsilon >>
      c.options.weight_decay >> c.options.bias_correction >> c.learning_rate >> c.multiplier >>
      c.first_update >> c.steps;
  EXPECT_FALSE(line.fail());
  return c;
}

std::vector<GoldenCase> ReadGolden() {
  std::ifstream file("ops/optim/testdata/adam_golden.txt");
  std::vector<GoldenCase> cases;
  for (std::string text; std::getline(file, text);) {
    std::istringstream line(text);
    if (text.starts_with("case ")) {
      line.ignore(5);
      cases.push_back(ParseCase(line));
    } else {
      cases.back().elements.push_back(ParseElement(line, cases.back().steps));
    }
  }
  return cases;
}

State StartOf(const GoldenCase& c) {
  State state;
  for (const GoldenElement& e : c.elements) {
    state.weight.push_back(static_cast<float>(e.w));
    state.m.push_back(static_cast<float>(e.m));
    state.v.push_back(static_cast<float>(e.v));
  }
  return state;
}

std::vector<DecayRange> DecayOf(const GoldenCase& c) {
  std::vector<DecayRange> ranges;
  for (size_t i = 0; i < c.elements.size(); ++i) {
    if (c.elements[i].decays == 0) continue;
    if (ranges.empty() || ranges.back().end != i) ranges.push_back({i, i});
    ranges.back().end = i + 1;
  }
  return ranges;
}

State RunGolden(InstructionSet set, const GoldenCase& c) {
  State state = StartOf(c);
  for (int step = 0; step < c.steps; ++step) {
    std::vector<float> sums;
    for (const GoldenElement& e : c.elements) {
      sums.push_back(static_cast<float>(e.sums[static_cast<size_t>(step)]));
    }
    AdamStep(set, c.options, c.first_update + step, c.learning_rate, c.multiplier, sums, DecayOf(c),
             state.weight, state.m, state.v);
  }
  return state;
}

// FP32 rounds each of at most 8 operations a step and a moment to half a unit of 2^-23, relative to
// the largest term that went into it: m may cancel, its terms do not. The error of m reaches w
// through the division, and every step rounds w itself twice.
void ExpectWithinRounding(const GoldenCase& c, const GoldenElement& e, float w, float m, float v) {
  const double unit = 8 * c.steps * 0x1p-24;
  double peak = std::abs(e.m);
  for (const double sum : e.sums) peak = std::max(peak, std::abs(sum * c.multiplier));
  const double t = static_cast<double>(c.first_update + c.steps - 1);
  const double bias = c.options.bias_correction ? 1 - std::pow(c.options.beta2, t) : 1;
  const double update = peak / (std::sqrt(e.final_v / bias) + c.options.epsilon);
  EXPECT_NEAR(m, e.final_m, unit * peak);
  EXPECT_NEAR(v, e.final_v, unit * e.final_v);
  const double weight = std::max(std::abs(e.w), std::abs(e.final_w));
  EXPECT_NEAR(w, e.final_w, 2 * c.steps * 0x1p-24 * weight + unit * c.learning_rate * update);
}

TEST_P(AdamTest, FollowsTheDoublePrecisionReference) {
  const std::vector<GoldenCase> cases = ReadGolden();
  ASSERT_EQ(cases.size(), 5u);
  for (const GoldenCase& c : cases) {
    SCOPED_TRACE(c.name);
    ASSERT_EQ(c.elements.size(), 19u);
    const State state = RunGolden(GetParam(), c);
    for (size_t i = 0; i < c.elements.size(); ++i) {
      SCOPED_TRACE(i);
      ExpectWithinRounding(c, c.elements[i], state.weight[i], state.m[i], state.v[i]);
    }
  }
}

TEST_P(AdamTest, EveryInstructionSetGivesTheBitsOfThePortableOneAtEveryLength) {
  const AdamOptions options = {.weight_decay = 0.01};
  for (size_t length = 0; length <= 70; ++length) {
    State state = SomeState(length);
    State expected = state;
    std::vector<float> gradient = Uniform(length, 4, -1, 1);
    if (length > 9) {
      gradient[1] = 0.0f;
      gradient[4] = 0x1p-149f;
      gradient[8] = 1e30f;
      gradient[9] = 1e-23f;
    }
    const std::vector<DecayRange> decay = {{0, length}};
    const std::span<const DecayRange> used = std::span(decay).first(length > 0 ? 1 : 0);
    Step(options, gradient, used, &state);
    AdamStep(InstructionSet::kPortable, options, 3, 0.01f, 0.5f, gradient, used, expected.weight,
             expected.m, expected.v);
    ExpectSameBits(state, expected);
  }
}

TEST_P(AdamTest, CuttingTheVectorDoesNotChangeABit) {
  const size_t length = 50;
  const std::vector<float> gradient = Uniform(length, 4, -1, 1);
  State whole = SomeState(length);
  Step({}, gradient, {}, &whole);
  for (size_t cut = 0; cut <= length; ++cut) {
    State pieces = SomeState(length);
    for (const auto& [begin, end] : {std::pair{size_t{0}, cut}, std::pair{cut, length}}) {
      const size_t count = end - begin;
      AdamStep(GetParam(), {}, 3, 0.01f, 0.5f, std::span(gradient).subspan(begin, count), {},
               std::span(pieces.weight).subspan(begin, count),
               std::span(pieces.m).subspan(begin, count),
               std::span(pieces.v).subspan(begin, count));
    }
    ExpectSameBits(pieces, whole);
  }
}

TEST_P(AdamTest, DecayAppliesInsideItsRangesOnly) {
  const std::vector<float> gradient(40, 0.0f);
  State state = {std::vector<float>(40, 2.0f), std::vector<float>(40), std::vector<float>(40)};
  const std::vector<DecayRange> decay = {{0, 1}, {5, 17}, {17, 18}, {39, 40}};
  Step({.weight_decay = 0.5}, gradient, decay, &state);
  for (size_t i = 0; i < 40; ++i) {
    const bool decays = i == 0 || (i >= 5 && i < 18) || i == 39;
    EXPECT_EQ(state.weight[i], decays ? 2.0f - 0.01f * (0.5f * 2.0f) : 2.0f) << i;
  }
}

// With correction the first step is learning_rate * sign(g), whatever the size of g.
TEST_P(AdamTest, FirstCorrectedStepHasTheSizeOfTheLearningRate) {
  const std::vector<float> gradient = {3e-3f, -7.0f, 4e4f};
  State state = {std::vector<float>(3), std::vector<float>(3), std::vector<float>(3)};
  AdamStep(GetParam(), {}, 1, 0.25f, 1.0f, gradient, {}, state.weight, state.m, state.v);
  EXPECT_NEAR(state.weight[0], -0.25f, 2e-6f);
  EXPECT_NEAR(state.weight[1], 0.25f, 1e-6f);
  EXPECT_NEAR(state.weight[2], -0.25f, 1e-6f);
}

TEST_P(AdamTest, GradientIsMultipliedOnce) {
  const std::vector<float> gradient = Uniform(20, 4, -1, 1);
  std::vector<float> larger = gradient;
  for (float& g : larger) g *= 8;
  State a = SomeState(20);
  State b = a;
  AdamStep(GetParam(), {}, 2, 0.01f, 1.0f, gradient, {}, a.weight, a.m, a.v);
  AdamStep(GetParam(), {}, 2, 0.01f, 0.125f, larger, {}, b.weight, b.m, b.v);
  ExpectSameBits(a, b);
}

INSTANTIATE_TEST_SUITE_P(Sets, AdamTest, testing::ValuesIn(SupportedInstructionSets()),
                         [](const auto& info) { return InstructionSetName(info.param); });

TEST(AdamDeathTest, RefusesWhatItsCallerMayNotDo) {
  std::vector<float> a(4), b(4), c(4), d(4), shorter(3);
  EXPECT_DEATH(AdamStep({}, 0, 0.1f, 1.0f, a, {}, b, c, d), "update_count");
  EXPECT_DEATH(AdamStep({}, 1, 0.1f, 1.0f, a, {}, b, shorter, d), "m.size");
  const std::vector<DecayRange> beyond = {{2, 5}};
  EXPECT_DEATH(AdamStep({}, 1, 0.1f, 1.0f, a, beyond, b, c, d), "range.end");
  const std::vector<DecayRange> overlapping = {{0, 2}, {1, 3}};
  EXPECT_DEATH(AdamStep({}, 1, 0.1f, 1.0f, a, overlapping, b, c, d), "range.begin");
}

}  // namespace
}  // namespace tenor

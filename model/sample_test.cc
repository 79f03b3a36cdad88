#include "model/sample.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace tenor {
namespace {

// Expects after each byte b only b + 1 and b + 2, the first three times as likely.
class Counting : public ByteModel {
 public:
  const Layout& layout() const override { return layout_; }
  LanesState NewState(int lanes) const override { return {lanes, 1}; }
  absl::Status SetWeights(std::span<const float>) override { return absl::OkStatus(); }
  absl::Status BeginStep(std::span<float>) override { return absl::OkStatus(); }
  absl::StatusOr<WindowResult> ForwardBackward(const ByteWindow&, LanesState*) override {
    return WindowResult{};
  }
  absl::Status FinishStep(const OnFinal&) override { return absl::OkStatus(); }
  absl::StatusOr<WindowResult> Forward(const ByteWindow&, LanesState*) override {
    return WindowResult{};
  }
  absl::Status Logits(std::span<const uint8_t> bytes, LanesState*,
                      std::span<float> logits) override {
    std::fill(logits.begin(), logits.end(), -1000.0f);
    logits[(bytes[0] + 1) % 256] = std::log(3.0f);
    logits[(bytes[0] + 2) % 256] = 0;
    return absl::OkStatus();
  }

 private:
  Layout layout_;
};

double FractionOfOnes(const std::string& text, char before) {
  int ones = 0;
  for (const char c : text) {
    ones += static_cast<uint8_t>(c - before) == 1 ? 1 : 0;
    before = c;
  }
  return static_cast<double>(ones) / text.size();
}

TEST(Sample, TemperatureZeroTakesTheLikeliest) {
  Counting model;
  EXPECT_EQ(*Sample(model, {.prompt = "xa", .bytes = 4, .temperature = 0}), "bcde");
}

TEST(Sample, FollowsTheProbabilities) {
  Counting model;
  const int64_t n = 20000;
  const std::string at_one = *Sample(model, {.prompt = "a", .bytes = n, .seed = 1});
  EXPECT_NEAR(FractionOfOnes(at_one, 'a'), 0.75, 5 * std::sqrt(0.75 * 0.25 / n));
  const std::string at_half = *Sample(model, {.prompt = "a", .bytes = n, .temperature = 0.5});
  EXPECT_NEAR(FractionOfOnes(at_half, 'a'), 0.9, 5 * std::sqrt(0.9 * 0.1 / n));
}

TEST(Sample, TheSeedDecides) {
  Counting model;
  const auto text = [&](uint64_t seed) {
    return *Sample(model, {.prompt = "a", .bytes = 100, .seed = seed});
  };
  EXPECT_EQ(text(1), text(1));
  EXPECT_NE(text(1), text(2));
}

TEST(Sample, RefusesOptionsOutOfRange) {
  Counting model;
  const double infinity = std::numeric_limits<double>::infinity();
  for (const SampleOptions& options :
       {SampleOptions{.prompt = "", .bytes = 1}, SampleOptions{.prompt = "a", .bytes = -1},
        SampleOptions{.prompt = "a", .bytes = 1, .temperature = -1},
        SampleOptions{.prompt = "a", .bytes = 1, .temperature = infinity},
        SampleOptions{.prompt = "a", .bytes = 1, .temperature = std::nan("")}}) {
    EXPECT_EQ(Sample(model, options).status().code(), absl::StatusCode::kInvalidArgument);
  }
}

}  // namespace
}  // namespace tenor

#include "ops/softmax_cross_entropy.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/random.h"

namespace tenor {
namespace {

constexpr int64_t kSteps = 3, kLanes = 2, kRows = kSteps * kLanes, kClasses = 259;

class SoftmaxTest : public testing::Test {
 protected:
  SoftmaxTest() {
    for (int64_t i = 0; i < kRows * kClasses; ++i) {
      logits_.push_back(20 * UniformFloat(RandomBits(1, 1, i)) - 10);
    }
    for (int64_t i = 0; i < kClasses; ++i) bias_.push_back(UniformFloat(RandomBits(1, 2, i)));
    for (int64_t i = 0; i < kRows; ++i) targets_.push_back(RandomBits(1, 3, i) % 256);
  }

  SoftmaxCrossEntropy Op() {
    return {.logits = {out_.data(), kRows, kClasses},
            .bias = bias_,
            .targets = targets_,
            .lengths = lengths_,
            .copy = {copy_.data(), DataType::kBFloat16, kRows, kClasses},
            .losses = losses_};
  }

  std::unique_ptr<Exec> exec_ = *Exec::Create({.threads = 2});
  std::vector<float> logits_, bias_;
  std::vector<uint8_t> targets_;
  std::vector<int> lengths_ = {3, 1};
  std::vector<float> out_ = std::vector<float>(kRows * kClasses);
  std::vector<BFloat16> copy_ = std::vector<BFloat16>(kRows * kClasses);
  std::vector<double> losses_ = std::vector<double>(kRows);
};

TEST_F(SoftmaxTest, LossAndGradientFollowDoublePrecision) {
  out_ = logits_;
  ASSERT_TRUE(tenor::Run(*exec_, Op()).ok());
  for (int64_t row = 0; row < kRows; ++row) {
    const bool active = row / kLanes < lengths_[row % kLanes];
    const auto logit = [&](int64_t k) {
      return static_cast<double>(logits_[row * kClasses + k]) + bias_[k];
    };
    double sum = 0;
    for (int64_t k = 0; k < kClasses; ++k) sum += std::exp(logit(k));
    const double loss = active ? std::log(sum) - logit(targets_[row]) : 0;
    EXPECT_NEAR(losses_[row], loss, 4e-6);
    for (int64_t k = 0; k < kClasses; ++k) {
      const double p = std::exp(logit(k)) / sum - (k == targets_[row] ? 1 : 0);
      const float gradient = out_[row * kClasses + k];
      EXPECT_NEAR(gradient, active ? p : 0, 4e-6);
      EXPECT_EQ(copy_[row * kClasses + k].bits, ToBFloat16(gradient).bits);
    }
  }
}

TEST_F(SoftmaxTest, LargeLogitsDoNotOverflow) {
  out_.assign(out_.size(), 3e37f);
  ASSERT_TRUE(tenor::Run(*exec_, Op()).ok());
  EXPECT_NEAR(losses_[0], std::log(259.0), 1e-5);
}

TEST_F(SoftmaxTest, ColumnSumsAddUp) {
  std::vector<float> sums(kClasses, 1.0f);
  ASSERT_TRUE(AddColumnSums(*exec_, {logits_.data(), kRows, kClasses}, sums).ok());
  for (int64_t k = 0; k < kClasses; ++k) {
    float expected = 1;
    for (int64_t row = 0; row < kRows; ++row) expected += logits_[row * kClasses + k];
    EXPECT_EQ(sums[k], expected);
  }
}

TEST_F(SoftmaxTest, RefusesShapesThatDoNotFit) {
  targets_.pop_back();
  EXPECT_EQ(tenor::Run(*exec_, Op()).code(), absl::StatusCode::kInvalidArgument);
  std::vector<float> sums(1);
  EXPECT_EQ(AddColumnSums(*exec_, {logits_.data(), kRows, kClasses}, sums).code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace tenor

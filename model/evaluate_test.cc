#include "model/evaluate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "base/random.h"
#include "model/mlstm.h"
#include "model/mlstm_init.h"

namespace tenor {
namespace {

class StreamEvaluatorTest : public testing::Test {
 protected:
  StreamEvaluatorTest() {
    InitialWeights(config_, 5, 0, weights_);
    EXPECT_TRUE(model_->SetWeights(weights_).ok());
    for (size_t i = 0; i < 1000; ++i) text_.push_back(RandomBits(1, 2, i) % 256);
  }

  const MlstmConfig config_{.hidden = 16, .embedding = 4};
  std::unique_ptr<Exec> exec_ = *Exec::Create({});
  std::unique_ptr<Mlstm> model_ = *Mlstm::Create(config_, DataType::kFloat32, exec_.get());
  std::vector<float> weights_ = std::vector<float>(model_->layout().size());
  std::vector<uint8_t> text_;
};

// The definition, byte by byte.
TEST_F(StreamEvaluatorTest, IsTheMeanOverAllBytesButTheFirst) {
  LanesState state = model_->NewState(1);
  std::vector<float> logits(256);
  double bits = 0;
  for (size_t i = 0; i + 1 < text_.size(); ++i) {
    ASSERT_TRUE(model_->Logits({&text_[i], 1}, &state, logits).ok());
    double sum = 0;
    for (const float logit : logits) sum += std::exp(static_cast<double>(logit));
    bits += std::log2(sum) - logits[text_[i + 1]] / std::log(2.0);
  }
  StreamEvaluator evaluator(model_.get());
  ASSERT_TRUE(evaluator.Add(text_).ok());
  EXPECT_EQ(evaluator.counted(), 999);
  EXPECT_NEAR(*evaluator.BitsPerCharacter(), bits / 999, 1e-6);
}

TEST_F(StreamEvaluatorTest, PiecesMakeOneStream) {
  StreamEvaluator whole(model_.get()), pieces(model_.get());
  ASSERT_TRUE(whole.Add(text_).ok());
  const std::span<const uint8_t> text = text_;
  for (size_t at = 0; at < text.size(); at += 125) {
    ASSERT_TRUE(pieces.Add(text.subspan(at, 1)).ok());
    ASSERT_TRUE(pieces.Add({}).ok());
    ASSERT_TRUE(pieces.Add(text.subspan(at + 1, 124)).ok());
  }
  EXPECT_EQ(pieces.counted(), whole.counted());
  EXPECT_NEAR(*pieces.BitsPerCharacter(), *whole.BitsPerCharacter(), 1e-6);
}

TEST_F(StreamEvaluatorTest, NothingCountedIsAnError) {
  StreamEvaluator evaluator(model_.get());
  ASSERT_TRUE(evaluator.Add(std::span<const uint8_t>(text_).first(1)).ok());
  EXPECT_EQ(evaluator.BitsPerCharacter().status().code(), absl::StatusCode::kFailedPrecondition);
}

}  // namespace
}  // namespace tenor

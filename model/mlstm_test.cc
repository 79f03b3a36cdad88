#include "model/mlstm.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "base/random.h"
#include "model/mlstm_init.h"

namespace tenor {
namespace {

using testing::Test;

std::vector<uint8_t> Text(size_t bytes, uint64_t seed) {
  std::vector<uint8_t> text(bytes);
  for (size_t i = 0; i < bytes; ++i) text[i] = RandomBits(seed, 1, i) % 7 * 31;
  return text;
}

// A tiny model with its weights, and windows over one random text.
class MlstmTest : public Test {
 protected:
  void SetUp() override {
    exec_ = *Exec::Create({.threads = 2});
    model_ = *Mlstm::Create(config_, DataType::kFloat32, exec_.get());
    weights_.resize(model_->layout().size());
    InitialWeights(config_, 5, 0, weights_);
    gradient_.resize(weights_.size());
    ASSERT_TRUE(model_->SetWeights(weights_).ok());
  }

  // `steps` steps of `lanes` lanes from byte `begin` of text_, lane by lane at a distance of 1000.
  struct Piece {
    std::vector<uint8_t> inputs, targets;
    std::vector<int> lengths;
    int lanes, steps;

    ByteWindow View() const {
      return {.lanes = lanes,
              .window = steps,
              .inputs = inputs,
              .targets = targets,
              .lengths = lengths};
    }
  };
  Piece Cut(int first_lane, int lanes, int begin, int steps) const {
    Piece piece{.lengths = std::vector<int>(lanes, steps), .lanes = lanes, .steps = steps};
    for (int t = 0; t < steps; ++t) {
      for (int lane = 0; lane < lanes; ++lane) {
        const size_t at = (first_lane + lane) * 1000 + begin + t;
        piece.inputs.push_back(text_[at]);
        piece.targets.push_back(text_[at + 1]);
      }
    }
    return piece;
  }

  // The gradient of one step over these windows, each from a zero state.
  std::vector<float> Gradient(const std::vector<Piece>& pieces, double* loss = nullptr) {
    EXPECT_TRUE(model_->BeginStep(gradient_).ok());
    double sum = 0;
    for (const Piece& piece : pieces) {
      LanesState state = model_->NewState(piece.lanes);
      sum += model_->ForwardBackward(piece.View(), &state)->loss_sum;
    }
    EXPECT_TRUE(model_->FinishStep({}).ok());
    if (loss != nullptr) *loss = sum;
    return gradient_;
  }

  double Loss(const Piece& piece) {
    LanesState state = model_->NewState(piece.lanes);
    return model_->Forward(piece.View(), &state)->loss_sum;
  }

  const MlstmConfig config_{.hidden = 24, .embedding = 5};
  const std::vector<uint8_t> text_ = Text(10000, 3);
  std::unique_ptr<Exec> exec_;
  std::unique_ptr<Mlstm> model_;
  std::vector<float> weights_, gradient_;
};

double Norm(const std::vector<float>& x) {
  double sum = 0;
  for (const float v : x) sum += static_cast<double>(v) * v;
  return std::sqrt(sum);
}

double Distance(std::vector<float> x, const std::vector<float>& y) {
  for (size_t i = 0; i < x.size(); ++i) x[i] -= y[i];
  return Norm(x);
}

TEST(MlstmSize, TrainedParametersOf4096Units) {
  EXPECT_EQ(MlstmLayout({.hidden = 4096, .embedding = 64}).size(), 86319360u);
}

TEST(MlstmSize, RefusesSizesOutOfRange) {
  const auto exec = *Exec::Create({});
  for (const int hidden : {0, -1, 65537}) {
    const auto model = Mlstm::Create({.hidden = hidden}, DataType::kFloat32, exec.get());
    EXPECT_EQ(model.status().code(), absl::StatusCode::kInvalidArgument);
  }
}

TEST(MlstmSize, Bf16IsRefusedWhereTheProcessorLacksIt) {
  const auto exec = *Exec::Create({});
  const auto model = Mlstm::Create({.hidden = 8}, DataType::kBFloat16, exec.get());
  EXPECT_EQ(model.ok(), CpuSupportsBf16());
  if (!model.ok()) {
    EXPECT_EQ(model.status().code(), absl::StatusCode::kFailedPrecondition);
    EXPECT_NE(model.status().message().find("BF16"), absl::string_view::npos);
    EXPECT_NE(model.status().message().find(CpuName()), absl::string_view::npos);
  }
}

// Central differences along random directions, tensor by tensor. With step s the loss L moves by
// s |g|; the difference is off by about 2^-22 L / s (rounding) and s^2 (curvature), relative to
// |g|.
TEST_F(MlstmTest, GradientIsTheSlopeOfTheLoss) {
  const Piece piece = Cut(0, 3, 0, 6);
  const std::vector<float> gradient = Gradient({piece});
  const std::vector<float> start = weights_;
  for (const Layout::Tensor& tensor : model_->layout().tensors()) {
    const std::vector<float> part(gradient.begin() + tensor.offset,
                                  gradient.begin() + tensor.offset + tensor.size);
    // Along the gradient itself the slope is its norm.
    const double norm = Norm(part);
    ASSERT_GT(norm, 0) << tensor.name;
    const double step = 0.02;
    double losses[2];
    for (const int side : {0, 1}) {
      weights_ = start;
      for (size_t i = 0; i < tensor.size; ++i) {
        weights_[tensor.offset + i] += (side == 0 ? -step : step) * part[i] / norm;
      }
      ASSERT_TRUE(model_->SetWeights(weights_).ok());
      losses[side] = Loss(piece);
    }
    EXPECT_NEAR((losses[1] - losses[0]) / (2 * step), norm,
                0x1p-22 * losses[0] / step + step * step * norm * 4)
        << tensor.name;
  }
}

TEST_F(MlstmTest, TwoWindowsAreOneLongWindow) {
  LanesState whole = model_->NewState(3), parts = model_->NewState(3);
  const double loss = model_->Forward(Cut(0, 3, 0, 10).View(), &whole)->loss_sum;
  const double first = model_->Forward(Cut(0, 3, 0, 4).View(), &parts)->loss_sum;
  const double second = model_->Forward(Cut(0, 3, 4, 6).View(), &parts)->loss_sum;
  EXPECT_NEAR(first + second, loss, 1e-6 * loss);
  for (int i = 0; i < 3 * config_.hidden; ++i) {
    EXPECT_EQ(parts.h().data[i], whole.h().data[i]);
    EXPECT_EQ(parts.c().data[i], whole.c().data[i]);
  }
}

TEST_F(MlstmTest, ForwardAndForwardBackwardAgree) {
  const Piece piece = Cut(0, 3, 0, 6);
  LanesState a = model_->NewState(3), b = model_->NewState(3);
  ASSERT_TRUE(model_->BeginStep(gradient_).ok());
  const auto trained = model_->ForwardBackward(piece.View(), &a);
  const auto evaluated = model_->Forward(piece.View(), &b);
  EXPECT_EQ(trained->loss_sum, evaluated->loss_sum);
  EXPECT_EQ(trained->targets, evaluated->targets);
  EXPECT_EQ(0, std::memcmp(a.h().data, b.h().data, 3 * config_.hidden * sizeof(float)));
}

TEST_F(MlstmTest, WarmUpMovesOnlyTheState) {
  Piece piece = Cut(0, 3, 0, 6);
  LanesState with = model_->NewState(3), without = model_->NewState(3);
  ASSERT_TRUE(model_->Forward(piece.View(), &with).ok());
  piece.targets.clear();
  const auto result = model_->Forward(piece.View(), &without);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->targets, 0);
  EXPECT_EQ(0, std::memcmp(with.c().data, without.c().data, 3 * config_.hidden * sizeof(float)));
}

// Lanes behind their length are as if their windows had been shorter.
TEST_F(MlstmTest, MaskedPositionsGiveNoLossNoGradientAndKeepTheState) {
  Piece masked = Cut(0, 3, 0, 6);
  masked.lengths = {6, 2, 0};
  double loss = 0, expected_loss = 0;
  const std::vector<float> gradient = Gradient({masked}, &loss);
  const std::vector<float> expected = Gradient({Cut(0, 1, 0, 6), Cut(1, 1, 0, 2)}, &expected_loss);
  EXPECT_NEAR(loss, expected_loss, 1e-6 * loss);
  EXPECT_LT(Distance(gradient, expected), 1e-6 * Norm(expected));

  for (size_t i = 0; i < masked.inputs.size(); ++i) {
    if (static_cast<int>(i) / 3 >= masked.lengths[i % 3])
      masked.inputs[i] = masked.targets[i] = 255;
  }
  EXPECT_EQ(Gradient({masked}), gradient);

  LanesState state = model_->NewState(3), alone = model_->NewState(1);
  ASSERT_TRUE(model_->Forward(masked.View(), &state).ok());
  ASSERT_TRUE(model_->Forward(Cut(1, 1, 0, 2).View(), &alone).ok());
  for (int i = 0; i < config_.hidden; ++i) {
    EXPECT_NEAR(state.h().Row(1)[i], alone.h().data[i], 1e-6);
    EXPECT_EQ(state.c().Row(2)[i], 0.0f);
  }
}

// The sum over samples does not depend on how they are split; sums of FP32 in another order differ
// by some roundings.
TEST_F(MlstmTest, TwoHalfBatchesAreOneBatch) {
  double loss = 0, expected_loss = 0;
  const std::vector<float> expected = Gradient({Cut(0, 6, 0, 8)}, &expected_loss);
  const std::vector<float> halves = Gradient({Cut(0, 3, 0, 8), Cut(3, 3, 0, 8)}, &loss);
  EXPECT_NEAR(loss, expected_loss, 1e-6 * loss);
  EXPECT_LT(Distance(halves, expected), 16 * 0x1p-24 * Norm(expected));
}

TEST_F(MlstmTest, TheSameCallsGiveTheSameBits) {
  const std::vector<Piece> pieces = {Cut(0, 3, 0, 8), Cut(3, 5, 0, 8)};
  const std::vector<float> once = Gradient(pieces);
  EXPECT_EQ(Gradient(pieces), once);
}

TEST_F(MlstmTest, ReportedPiecesAreFinal) {
  const std::vector<float> expected = Gradient({Cut(0, 3, 0, 8), Cut(3, 3, 0, 8)});
  LanesState state = model_->NewState(3);
  std::fill(gradient_.begin(), gradient_.end(), 77.0f);
  ASSERT_TRUE(model_->BeginStep(gradient_).ok());
  ASSERT_TRUE(model_->ForwardBackward(Cut(0, 3, 0, 8).View(), &state).ok());
  state = model_->NewState(3);
  ASSERT_TRUE(model_->ForwardBackward(Cut(3, 3, 0, 8).View(), &state).ok());
  size_t end = gradient_.size();
  int calls = 0;
  const auto on_final = [&](size_t offset) {
    ASSERT_LT(offset, end);
    for (size_t i = offset; i < end; ++i) ASSERT_EQ(gradient_[i], expected[i]) << i;
    // What was reported is not read any more: the sender may encode in place.
    for (size_t i = offset; i < end; ++i) gradient_[i] = std::nanf("");
    end = offset;
    ++calls;
  };
  ASSERT_TRUE(model_->FinishStep(on_final).ok());
  EXPECT_EQ(end, 0u);
  EXPECT_GE(calls, 6);
}

TEST_F(MlstmTest, AStepWithoutWindowsHasAZeroGradient) {
  std::fill(gradient_.begin(), gradient_.end(), 77.0f);
  EXPECT_EQ(Norm(Gradient({})), 0);
}

TEST_F(MlstmTest, EvaluationInsideAStepDoesNotDisturbIt) {
  const std::vector<float> expected = Gradient({Cut(0, 3, 0, 8)});
  LanesState state = model_->NewState(3), other = model_->NewState(3);
  ASSERT_TRUE(model_->BeginStep(gradient_).ok());
  ASSERT_TRUE(model_->ForwardBackward(Cut(0, 3, 0, 8).View(), &state).ok());
  ASSERT_TRUE(model_->Forward(Cut(4, 3, 0, 8).View(), &other).ok());
  ASSERT_TRUE(model_->FinishStep({}).ok());
  EXPECT_EQ(gradient_, expected);
}

TEST_F(MlstmTest, WhatIsNotFiniteIsReported) {
  weights_[model_->layout().Find("mlstm.wh.v")->offset] = std::numeric_limits<float>::quiet_NaN();
  ASSERT_TRUE(model_->SetWeights(weights_).ok());
  ASSERT_TRUE(model_->BeginStep(gradient_).ok());
  LanesState state = model_->NewState(3);
  const auto result = model_->ForwardBackward(Cut(0, 3, 0, 8).View(), &state);
  ASSERT_TRUE(result.ok());
  EXPECT_FALSE(result->finite);
}

TEST_F(MlstmTest, LogitsAreWhatTheLossIsMadeOf) {
  const Piece piece = Cut(0, 2, 0, 1);
  LanesState a = model_->NewState(2), b = model_->NewState(2);
  std::vector<float> logits(2 * 256);
  ASSERT_TRUE(model_->Logits(piece.inputs, &a, logits).ok());
  double loss = 0;
  for (int lane = 0; lane < 2; ++lane) {
    double sum = 0;
    for (int k = 0; k < 256; ++k) sum += std::exp(static_cast<double>(logits[lane * 256 + k]));
    loss += std::log(sum) - logits[lane * 256 + piece.targets[lane]];
  }
  EXPECT_NEAR(model_->Forward(piece.View(), &b)->loss_sum, loss, 1e-5);
  EXPECT_EQ(0, std::memcmp(a.h().data, b.h().data, 2 * config_.hidden * sizeof(float)));
}

TEST_F(MlstmTest, CallsOutOfOrderAreRefused) {
  LanesState state = model_->NewState(3);
  const Piece piece = Cut(0, 3, 0, 4);
  EXPECT_EQ(model_->ForwardBackward(piece.View(), &state).status().code(),
            absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(model_->FinishStep({}).code(), absl::StatusCode::kFailedPrecondition);
  const auto fresh = *Mlstm::Create(config_, DataType::kFloat32, exec_.get());
  EXPECT_EQ(fresh->BeginStep(gradient_).code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(fresh->Forward(piece.View(), &state).status().code(),
            absl::StatusCode::kFailedPrecondition);
  ASSERT_TRUE(model_->BeginStep(gradient_).ok());
  ASSERT_TRUE(model_->SetWeights(weights_).ok());  // abandons the step
  EXPECT_EQ(model_->FinishStep({}).code(), absl::StatusCode::kFailedPrecondition);
}

TEST_F(MlstmTest, SizesThatDoNotFitAreRefused) {
  LanesState state = model_->NewState(3), small = model_->NewState(2);
  Piece piece = Cut(0, 3, 0, 4);
  const auto code = [&](LanesState* s) { return model_->Forward(piece.View(), s).status().code(); };
  ASSERT_EQ(code(&state), absl::StatusCode::kOk);
  EXPECT_EQ(code(&small), absl::StatusCode::kInvalidArgument);
  piece.lengths[1] = 5;
  EXPECT_EQ(code(&state), absl::StatusCode::kInvalidArgument);
  piece.lengths[1] = -1;
  EXPECT_EQ(code(&state), absl::StatusCode::kInvalidArgument);
  piece.lengths.pop_back();
  EXPECT_EQ(code(&state), absl::StatusCode::kInvalidArgument);
  piece = Cut(0, 3, 0, 4);
  piece.inputs.pop_back();
  EXPECT_EQ(code(&state), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(model_->SetWeights(std::span(weights_).first(10)).code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(model_->BeginStep(std::span(gradient_).first(10)).code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace tenor

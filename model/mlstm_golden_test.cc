// The mLSTM against an independent implementation in double precision (testdata/mlstm_golden.py).

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "model/mlstm.h"

namespace tenor {
namespace {

constexpr MlstmConfig kConfig{.hidden = 7, .embedding = 3};
constexpr int kLanes = 3;
constexpr int kWindow = 4;
constexpr int kSteps = 3;
constexpr int kWindowsAStep = 2;

using Golden = std::map<std::string, std::vector<double>>;

Golden ReadGolden() {
  std::ifstream file("model/testdata/mlstm_golden.txt");
  Golden golden;
  std::string name;
  size_t count = 0;
  while (file >> name >> count) {
    std::vector<double>& values = golden[name];
    values.resize(count);
    for (double& value : values) file >> value;
  }
  return golden;
}

// ||x - reference|| / ||reference||
template <typename X>
double RelativeError(const X& x, std::span<const double> reference) {
  double error = 0, norm = 0;
  for (size_t i = 0; i < reference.size(); ++i) {
    error += std::pow(x[i] - reference[i], 2);
    norm += std::pow(reference[i], 2);
  }
  return std::sqrt(error / norm);
}

class MlstmGolden : public testing::TestWithParam<DataType> {
 protected:
  void SetUp() override {
    golden_ = ReadGolden();
    ASSERT_EQ(golden_.size(), 7u);
    weights_.assign(golden_["weights"].begin(), golden_["weights"].end());
    text_.assign(golden_["text"].begin(), golden_["text"].end());
    lengths_.assign(golden_["lengths"].begin(), golden_["lengths"].end());
    exec_ = *Exec::Create({.threads = 2, .emulate_bf16 = true});
    model_ = *Mlstm::Create(kConfig, GetParam(), exec_.get());
    gradient_.resize(weights_.size());
    ASSERT_EQ(model_->layout().size(), weights_.size());
  }

  ByteWindow Window(int index) const {
    constexpr size_t kSize = kLanes * kWindow;
    const std::span<const uint8_t> text = text_;
    return {.lanes = kLanes,
            .window = kWindow,
            .inputs = text.subspan(index * kSize, kSize),
            .targets = text.subspan(index * kSize + kLanes, kSize),
            .lengths = std::span(lengths_).subspan(index % kWindowsAStep * kLanes, kLanes)};
  }

  // Every rounding of the compute type happens a fixed number of times on the way to a gradient: 4
  // time steps of two products and some ten elementary operations, each off by at most 4 roundings.
  double Tolerance() const {
    const double rounding = GetParam() == DataType::kFloat32 ? 0x1p-24 : 0x1p-9;
    return 4 * (2 + 10) * 4 * rounding / (GetParam() == DataType::kFloat32 ? 1 : 4);
  }

  void RunStep(int step, LanesState* state);
  // PyTorch's Adam on the mean gradient, with its defaults but for the rate.
  void RunAdam(int step);
  void CheckState(int window, const LanesState& state);

  Golden golden_;
  std::vector<float> weights_, gradient_;
  std::vector<uint8_t> text_;
  std::vector<int> lengths_;
  std::unique_ptr<Exec> exec_;
  std::unique_ptr<Mlstm> model_;
  std::vector<double> m_, v_;
};

void MlstmGolden::CheckState(int window, const LanesState& state) {
  constexpr size_t kSize = kLanes * 7;
  const std::span<const double> states = golden_["states"];
  EXPECT_LT(RelativeError(state.h().data, states.subspan(window * 2 * kSize, kSize)), Tolerance());
  EXPECT_LT(RelativeError(state.c().data, states.subspan((window * 2 + 1) * kSize, kSize)),
            Tolerance());
}

void MlstmGolden::RunStep(int step, LanesState* state) {
  ASSERT_TRUE(model_->SetWeights(weights_).ok());
  ASSERT_TRUE(model_->BeginStep(gradient_).ok());
  for (int k = 0; k < kWindowsAStep; ++k) {
    const int window = step * kWindowsAStep + k;
    const auto result = model_->ForwardBackward(Window(window), state);
    ASSERT_TRUE(result.ok()) << result.status();
    EXPECT_TRUE(result->finite);
    EXPECT_EQ(result->targets, k == 0 ? 12 : 6);
    const double expected = golden_["losses"][window];
    EXPECT_NEAR(result->loss_sum, expected, Tolerance() * expected) << window;
    CheckState(window, *state);
  }
  ASSERT_TRUE(model_->FinishStep({}).ok());
}

void MlstmGolden::RunAdam(int step) {
  constexpr double kRate = 0.01, kBeta1 = 0.9, kBeta2 = 0.999, kEpsilon = 1e-8;
  m_.resize(weights_.size());
  v_.resize(weights_.size());
  for (size_t i = 0; i < weights_.size(); ++i) {
    const double mean = gradient_[i] / 18.0;
    m_[i] = kBeta1 * m_[i] + (1 - kBeta1) * mean;
    v_[i] = kBeta2 * v_[i] + (1 - kBeta2) * mean * mean;
    const double root = std::sqrt(v_[i]) / std::sqrt(1 - std::pow(kBeta2, step + 1)) + kEpsilon;
    weights_[i] -= static_cast<float>(kRate / (1 - std::pow(kBeta1, step + 1)) * m_[i] / root);
  }
}

TEST_P(MlstmGolden, LossStateAndEveryGradient) {
  LanesState state = model_->NewState(kLanes);
  RunStep(0, &state);
  const std::span<const double> expected = golden_["gradient"];
  for (const Layout::Tensor& tensor : model_->layout().tensors()) {
    EXPECT_LT(RelativeError(gradient_.data() + tensor.offset,
                            expected.subspan(tensor.offset, tensor.size)),
              Tolerance())
        << tensor.name;
  }
}

TEST_P(MlstmGolden, ThreeAdamSteps) {
  if (GetParam() != DataType::kFloat32) GTEST_SKIP() << "Adam's first steps follow signs alone";
  const std::vector<float> start = weights_;
  LanesState state = model_->NewState(kLanes);
  for (int step = 0; step < kSteps; ++step) {
    RunStep(step, &state);
    RunAdam(step);
  }
  std::vector<double> moved(start.size()), expected(start.size());
  for (size_t i = 0; i < start.size(); ++i) {
    moved[i] = static_cast<double>(weights_[i]) - start[i];
    expected[i] = golden_["after"][i] - start[i];
  }
  // Weights of magnitude 1 are stored with a rounding of 2^-24 against a step of 0.01 or so.
  EXPECT_LT(RelativeError(moved, expected), Tolerance() + 0x1p-24 / 0.01);
}

INSTANTIATE_TEST_SUITE_P(Types, MlstmGolden,
                         testing::Values(DataType::kFloat32, DataType::kBFloat16),
                         [](const auto& info) { return NameOf(info.param); });

}  // namespace
}  // namespace tenor

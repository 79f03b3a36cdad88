#include "ops/mlstm_cell.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/random.h"

namespace tenor {
namespace {

constexpr int64_t kLanes = 3, kUnits = 37;

std::vector<float> Random(size_t count, uint64_t stream) {
  std::vector<float> x(count);
  for (size_t i = 0; i < count; ++i) x[i] = 4 * UniformFloat(RandomBits(1, stream, i)) - 2;
  return x;
}

double Sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

// Lanes 0 and 2 read the same byte; lane 1 is not active.
class MlstmCellTest : public testing::TestWithParam<int> {
 protected:
  MlstmInput Input() const { return {.bytes = bytes_, .lengths = lengths_, .step = 4}; }
  Matrix<float> View(std::vector<float>& x, int64_t cols) const {
    return {x.data(), static_cast<int64_t>(x.size()) / cols, cols};
  }
  MutableOperand Out(std::vector<float>& x, int64_t cols) const {
    return {x.data(), DataType::kFloat32, kLanes, cols};
  }
  double Z(int64_t lane, int64_t gate, int64_t j) const {
    const int64_t at = gate * kUnits + j;
    return static_cast<double>(z_[lane * 4 * kUnits + at]) +
           table_z_[bytes_[lane] * 4 * kUnits + at];
  }

  std::unique_ptr<Exec> exec_ = *Exec::Create({.threads = GetParam()});
  const std::vector<uint8_t> bytes_ = {200, 7, 200};
  const std::vector<int> lengths_ = {5, 4, 9};
  std::vector<float> table_m_ = Random(256 * kUnits, 1), table_z_ = Random(1024 * kUnits, 2);
  std::vector<float> p_ = Random(kLanes * kUnits, 3), z_ = Random(kLanes * 4 * kUnits, 4);
  std::vector<float> c_before_ = Random(kLanes * kUnits, 5), h_before_ = Random(kLanes * kUnits, 6);
  std::vector<float> dh_ = Random(kLanes * kUnits, 7), dc_ = Random(kLanes * kUnits, 8);
};

TEST_P(MlstmCellTest, ForwardFollowsDoublePrecision) {
  std::vector<float> m(kLanes * kUnits), c(kLanes * kUnits), h(kLanes * kUnits), gates = z_;
  ASSERT_TRUE(tenor::Run(*exec_, MlstmMultiply{Input(), View(table_m_, kUnits), View(p_, kUnits),
                                               Out(m, kUnits)})
                  .ok());
  ASSERT_TRUE(tenor::Run(*exec_, MlstmCell{Input(), View(table_z_, 4 * kUnits),
                                           View(gates, 4 * kUnits), View(c_before_, kUnits),
                                           View(c, kUnits), Out(h_before_, kUnits), Out(h, kUnits)})
                  .ok());
  for (int64_t i = 0; i < kLanes * kUnits; ++i) {
    const int64_t lane = i / kUnits, j = i % kUnits;
    EXPECT_EQ(m[i], table_m_[bytes_[lane] * kUnits + j] * p_[i]);
    if (lane == 1) {
      EXPECT_EQ(c[i], c_before_[i]);
      EXPECT_EQ(h[i], h_before_[i]);
      continue;
    }
    const double cell =
        Sigmoid(Z(lane, 1, j)) * c_before_[i] + Sigmoid(Z(lane, 0, j)) * std::tanh(Z(lane, 3, j));
    EXPECT_NEAR(c[i], cell, 2e-6);
    EXPECT_NEAR(h[i], Sigmoid(Z(lane, 2, j)) * std::tanh(cell), 2e-6);
    EXPECT_NEAR(gates[lane * 4 * kUnits + 3 * kUnits + j], std::tanh(Z(lane, 3, j)), 1e-6);
  }
}

TEST_P(MlstmCellTest, BackwardFollowsDoublePrecision) {
  std::vector<float> c(kLanes * kUnits), h(kLanes * kUnits), gates = z_, dc = dc_;
  std::vector<float> table(1024 * kUnits, 1.0f);
  ASSERT_TRUE(tenor::Run(*exec_, MlstmCell{Input(), View(table_z_, 4 * kUnits),
                                           View(gates, 4 * kUnits), View(c_before_, kUnits),
                                           View(c, kUnits), Out(h_before_, kUnits), Out(h, kUnits)})
                  .ok());
  // In place, as the model does.
  ASSERT_TRUE(tenor::Run(*exec_, MlstmCellBackward{Input(), View(gates, 4 * kUnits),
                                                   View(c_before_, kUnits), View(c, kUnits),
                                                   View(dh_, kUnits), View(dc, kUnits),
                                                   Out(gates, 4 * kUnits), View(table, 4 * kUnits)})
                  .ok());
  for (int64_t i = 0; i < kLanes * kUnits; ++i) {
    const int64_t lane = i / kUnits, j = i % kUnits;
    const bool active = lane != 1;
    const double gi = Sigmoid(Z(lane, 0, j)), gf = Sigmoid(Z(lane, 1, j));
    const double go = Sigmoid(Z(lane, 2, j)), gu = std::tanh(Z(lane, 3, j));
    const double t = std::tanh(gf * c_before_[i] + gi * gu);
    const double cell = dc_[i] + dh_[i] * go * (1 - t * t);
    const double expected[4] = {cell * gu * gi * (1 - gi), cell * c_before_[i] * gf * (1 - gf),
                                dh_[i] * t * go * (1 - go), cell * gi * (1 - gu * gu)};
    EXPECT_NEAR(dc[i], active ? cell * gf : dc_[i], 4e-6);
    for (int64_t gate = 0; gate < 4; ++gate) {
      EXPECT_NEAR(gates[lane * 4 * kUnits + gate * kUnits + j], active ? expected[gate] : 0, 4e-6);
    }
  }
  for (int64_t k = 0; k < 4 * kUnits; ++k) {
    EXPECT_NEAR(table[200 * 4 * kUnits + k], 1 + gates[k] + gates[8 * kUnits + k], 2e-6);
    EXPECT_EQ(table[7 * 4 * kUnits + k], 1);
    EXPECT_EQ(table[8 * 4 * kUnits + k], 1);
  }
}

TEST_P(MlstmCellTest, MultiplyBackward) {
  std::vector<float> dp(kLanes * kUnits), table(256 * kUnits, 1.0f), dm = dh_;
  ASSERT_TRUE(tenor::Run(*exec_, MlstmMultiplyBackward{Input(), View(table_m_, kUnits),
                                                       View(p_, kUnits), View(dm, kUnits),
                                                       Out(dp, kUnits), View(table, kUnits)})
                  .ok());
  for (int64_t i = 0; i < kLanes * kUnits; ++i) {
    EXPECT_EQ(dp[i], dm[i] * table_m_[bytes_[i / kUnits] * kUnits + i % kUnits]);
  }
  for (int64_t j = 0; j < kUnits; ++j) {
    const double sum = dm[j] * p_[j] + dm[2 * kUnits + j] * p_[2 * kUnits + j];
    EXPECT_NEAR(table[200 * kUnits + j], 1 + sum, 2e-6);
  }
}

TEST_P(MlstmCellTest, RefusesShapesThatDoNotFit) {
  std::vector<float> m(kLanes * kUnits);
  MlstmMultiply op{Input(), View(table_m_, kUnits), View(p_, kUnits), Out(m, kUnits)};
  op.input.bytes = op.input.bytes.first(2);
  EXPECT_EQ(tenor::Run(*exec_, op).code(), absl::StatusCode::kInvalidArgument);
  op.input = Input();
  op.table_m.rows = 255;
  EXPECT_EQ(tenor::Run(*exec_, op).code(), absl::StatusCode::kInvalidArgument);
}

INSTANTIATE_TEST_SUITE_P(Threads, MlstmCellTest, testing::Values(1, 2));

}  // namespace
}  // namespace tenor

#include "ops/weight_norm.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/random.h"

namespace tenor {
namespace {

constexpr int64_t kRows = 5, kCols = 37;

std::vector<float> Random(size_t count, uint64_t stream) {
  std::vector<float> x(count);
  for (size_t i = 0; i < count; ++i) x[i] = 2 * UniformFloat(RandomBits(1, stream, i)) - 1;
  return x;
}

class WeightNormTest : public testing::Test {
 protected:
  absl::Status Normalise(MutableOperand w) {
    return tenor::Run(
        *exec_,
        WeightNorm{.v = {v_.data(), kRows, kCols}, .g = g_, .w = w, .inverse_norm = inverse_norm_});
  }
  double Norm(int64_t row) const {
    double sum = 0;
    for (int64_t k = 0; k < kCols; ++k) sum += std::pow(v_[row * kCols + k], 2);
    return std::sqrt(sum);
  }

  std::unique_ptr<Exec> exec_ = *Exec::Create({.threads = 2});
  std::vector<float> v_ = Random(kRows * kCols, 1), g_ = Random(kRows, 2);
  std::vector<float> inverse_norm_ = std::vector<float>(kRows);
};

TEST_F(WeightNormTest, ScalesEachRowToItsG) {
  std::vector<float> w(kRows * kCols);
  ASSERT_TRUE(Normalise({w.data(), DataType::kFloat32, kRows, kCols}).ok());
  for (int64_t i = 0; i < kRows * kCols; ++i) {
    const double expected = g_[i / kCols] * v_[i] / Norm(i / kCols);
    EXPECT_NEAR(w[i], expected, 0x1p-22 * std::abs(expected));
  }
  std::vector<BFloat16> rounded(kRows * kCols);
  ASSERT_TRUE(Normalise({rounded.data(), DataType::kBFloat16, kRows, kCols}).ok());
  for (int64_t i = 0; i < kRows * kCols; ++i) EXPECT_EQ(rounded[i].bits, ToBFloat16(w[i]).bits);
}

// Against the derivative written out: w_k / v_j = g (delta_kj - v_k v_j / n^2) / n.
TEST_F(WeightNormTest, BackwardIsTheDerivative) {
  std::vector<float> w(kRows * kCols), dv = Random(kRows * kCols, 3), dg(kRows);
  const std::vector<float> dw = dv;
  ASSERT_TRUE(Normalise({w.data(), DataType::kFloat32, kRows, kCols}).ok());
  ASSERT_TRUE(tenor::Run(*exec_, WeightNormBackward{.v = {v_.data(), kRows, kCols},
                                                    .g = g_,
                                                    .inverse_norm = inverse_norm_,
                                                    .dw = {dv.data(), kRows, kCols},
                                                    .dg = dg})
                  .ok());
  for (int64_t row = 0; row < kRows; ++row) {
    const float* v = v_.data() + row * kCols;
    const double n = Norm(row);
    double expected_dg = 0;
    for (int64_t k = 0; k < kCols; ++k) expected_dg += dw[row * kCols + k] * v[k] / n;
    EXPECT_NEAR(dg[row], expected_dg, 1e-6);
    for (int64_t j = 0; j < kCols; ++j) {
      double expected = 0;
      for (int64_t k = 0; k < kCols; ++k) {
        const double slope = g_[row] * ((k == j ? 1 : 0) - v[k] * v[j] / (n * n)) / n;
        expected += slope * dw[row * kCols + k];
      }
      EXPECT_NEAR(dv[row * kCols + j], expected, 1e-6);
    }
  }
}

TEST_F(WeightNormTest, ARowOfZerosStaysZero) {
  std::fill_n(v_.begin() + kCols, kCols, 0.0f);
  std::vector<float> w(kRows * kCols);
  ASSERT_TRUE(Normalise({w.data(), DataType::kFloat32, kRows, kCols}).ok());
  for (int64_t k = 0; k < kCols; ++k) EXPECT_EQ(w[kCols + k], 0);
  EXPECT_EQ(inverse_norm_[1], 0);
}

TEST_F(WeightNormTest, RefusesShapesThatDoNotFit) {
  std::vector<float> w(kRows * kCols);
  EXPECT_EQ(Normalise({w.data(), DataType::kFloat32, kRows, kCols - 1}).code(),
            absl::StatusCode::kInvalidArgument);
  g_.pop_back();
  EXPECT_EQ(Normalise({w.data(), DataType::kFloat32, kRows, kCols}).code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace tenor

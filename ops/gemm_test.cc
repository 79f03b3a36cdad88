#include "ops/gemm.h"

#include <gtest/gtest.h>

#include <cmath>
#include <tuple>
#include <vector>

#include "base/random.h"

namespace tenor {
namespace {

std::vector<float> Random(size_t count, uint64_t stream) {
  std::vector<float> x(count);
  for (size_t i = 0; i < count; ++i) x[i] = 2 * UniformFloat(RandomBits(1, stream, i)) - 1;
  return x;
}

// A matrix of random elements in a type, stored either way.
struct TestMatrix {
  std::vector<float> exact;  // what is stored, row-major
  std::vector<float> floats;
  std::vector<BFloat16> bf16;
  Operand view;

  TestMatrix(int64_t rows, int64_t cols, DataType type, bool transposed, uint64_t stream)
      : exact(Random(rows * cols, stream)) {
    if (type == DataType::kBFloat16) {
      for (float& x : exact) x = ToFloat(ToBFloat16(x));
    }
    for (int64_t i = 0; i < rows * cols; ++i) {
      // Element i of the storage; of a transposed one the row is i % rows.
      const float x = transposed ? exact[(i % rows) * cols + i / rows] : exact[i];
      floats.push_back(x);
      bf16.push_back(ToBFloat16(x));
    }
    const void* data = type == DataType::kFloat32 ? static_cast<const void*>(floats.data())
                                                  : static_cast<const void*>(bf16.data());
    view =
        transposed ? Operand(data, type, cols, rows).Transposed() : Operand(data, type, rows, cols);
  }
  float at(int64_t row, int64_t col) const { return exact[row * view.cols + col]; }
};

class GemmTest : public testing::TestWithParam<std::tuple<DataType, bool, bool, bool>> {
 protected:
  std::unique_ptr<Exec> exec_ = *Exec::Create({.threads = 2, .emulate_bf16 = true});
};

// An FP32 sum of k products in any order is off by at most k roundings of the sum of magnitudes.
void ExpectProduct(const TestMatrix& a, const TestMatrix& b, float before, Matrix<float> c) {
  const int64_t depth = a.view.cols;
  for (int64_t i = 0; i < c.rows; ++i) {
    for (int64_t j = 0; j < c.cols; ++j) {
      double sum = before, magnitude = std::abs(before);
      for (int64_t k = 0; k < depth; ++k) {
        const double product = static_cast<double>(a.at(i, k)) * b.at(k, j);
        sum += product;
        magnitude += std::abs(product);
      }
      ASSERT_NEAR(c.Row(i)[j], sum, (depth + 1) * 0x1p-24 * magnitude) << i << ", " << j;
    }
  }
}

TEST_P(GemmTest, FollowsDoublePrecision) {
  const auto [type, a_transposed, b_transposed, packed] = GetParam();
  const int64_t shapes[][3] = {{1, 1, 1}, {1, 20, 7}, {16, 33, 40}, {5, 64, 3}, {130, 48, 70}};
  for (const auto& [m, n, k] : shapes) {
    const TestMatrix a(m, k, type, a_transposed, 1), b(k, n, type, b_transposed, 2);
    PackedMatrix packed_b;
    packed_b.Assign(b.view);
    // C has wider rows than it needs; what lies between them stays.
    std::vector<float> c(m * (n + 3), 9.0f);
    const Matrix<float> view(c.data(), m, n, n + 3);
    for (const Output output : {Output::kOverwrite, Output::kAccumulate}) {
      std::fill(c.begin(), c.end(), 9.0f);
      const absl::Status status = packed ? Gemm(*exec_, a.view, packed_b, output, view)
                                         : Gemm(*exec_, a.view, b.view, output, view);
      ASSERT_TRUE(status.ok()) << status;
      ExpectProduct(a, b, output == Output::kOverwrite ? 0.0f : 9.0f, view);
      for (int64_t i = 0; i < m; ++i) EXPECT_EQ(c[i * (n + 3) + n], 9.0f);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Views, GemmTest,
                         testing::Combine(testing::Values(DataType::kFloat32, DataType::kBFloat16),
                                          testing::Bool(), testing::Bool(), testing::Bool()));

TEST(PackedMatrix, AssignTakesNewContents) {
  const auto exec = *Exec::Create({});
  TestMatrix a(4, 8, DataType::kFloat32, false, 1), b(8, 16, DataType::kFloat32, true, 2);
  std::vector<float> first(64), second(64);
  PackedMatrix packed;
  packed.Assign(b.view);
  ASSERT_TRUE(Gemm(*exec, a.view, packed, Output::kOverwrite, {first.data(), 4, 16}).ok());
  for (float& x : b.floats) x *= 2;
  packed.Assign(b.view);
  ASSERT_TRUE(Gemm(*exec, a.view, packed, Output::kOverwrite, {second.data(), 4, 16}).ok());
  for (int i = 0; i < 64; ++i) EXPECT_EQ(second[i], 2 * first[i]);
}

TEST(Gemm, ColumnsOfAView) {
  const auto exec = *Exec::Create({});
  const TestMatrix a(6, 9, DataType::kFloat32, false, 1), b(6, 4, DataType::kFloat32, false, 2);
  std::vector<float> whole(9 * 4), part(3 * 4);
  ASSERT_TRUE(
      Gemm(*exec, a.view.Transposed(), b.view, Output::kOverwrite, {whole.data(), 9, 4}).ok());
  ASSERT_TRUE(Gemm(*exec, a.view.Columns(5, 3).Transposed(), b.view, Output::kOverwrite,
                   {part.data(), 3, 4})
                  .ok());
  for (int i = 0; i < 12; ++i) EXPECT_FLOAT_EQ(part[i], whole[20 + i]);
}

TEST(Gemm, RefusesWhatDoesNotFit) {
  const auto exec = *Exec::Create({.emulate_bf16 = true});
  const TestMatrix a(4, 8, DataType::kFloat32, false, 1), b(8, 4, DataType::kFloat32, false, 2);
  const TestMatrix bf16(8, 4, DataType::kBFloat16, false, 2);
  std::vector<float> c(16);
  const auto code = [&](const Operand& x, const Operand& y, Matrix<float> z) {
    return Gemm(*exec, x, y, Output::kOverwrite, z).code();
  };
  const Matrix<float> out(c.data(), 4, 4);
  EXPECT_EQ(code(a.view, b.view, out), absl::StatusCode::kOk);
  EXPECT_EQ(code(a.view, a.view, out), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(code(a.view, b.view, {c.data(), 4, 3, 4}), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(code(a.view, b.view, {c.data(), 4, 4, 2}), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(code(a.view, bf16.view, out), absl::StatusCode::kInvalidArgument);
  Operand sparse = a.view;
  sparse.rows = 2;
  sparse.cols = 2;
  sparse.col_stride = 2;
  EXPECT_EQ(code(sparse, sparse, {c.data(), 2, 2}), absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace tenor

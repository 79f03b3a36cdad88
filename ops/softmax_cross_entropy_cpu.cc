#include <algorithm>
#include <cmath>

#include "ops/softmax_cross_entropy.h"
#include "ops/vector_math.h"

namespace tenor::cpu {
namespace {

// Fewer elements than this are not worth waking a thread for.
constexpr int64_t kElementsWorthAThread = 4096;
constexpr int64_t kPartials = 16;

struct RowRange {
  const SoftmaxCrossEntropy* op;
  int64_t begin;
  int64_t end;
};

TENOR_KERNEL float Max(const float* x, int64_t n) {
  float part[kPartials];
  std::fill(part, part + kPartials, x[0]);
  int64_t i = 0;
  for (; i + kPartials <= n; i += kPartials) {
    for (int64_t j = 0; j < kPartials; ++j) part[j] = x[i + j] > part[j] ? x[i + j] : part[j];
  }
  for (; i < n; ++i) part[0] = x[i] > part[0] ? x[i] : part[0];
  float max = part[0];
  for (int64_t j = 1; j < kPartials; ++j) max = part[j] > max ? part[j] : max;
  return max;
}

TENOR_KERNEL double Sum(const float* x, int64_t n) {
  float part[kPartials] = {};
  int64_t i = 0;
  for (; i + kPartials <= n; i += kPartials) {
    for (int64_t j = 0; j < kPartials; ++j) part[j] += x[i + j];
  }
  double sum = 0;
  for (; i < n; ++i) sum += x[i];
  for (int64_t j = 0; j < kPartials; ++j) sum += part[j];
  return sum;
}

struct SoftmaxKernel {
  TENOR_KERNEL void Run(const RowRange& range) {
    const SoftmaxCrossEntropy& op = *range.op;
    const auto lanes = static_cast<int64_t>(op.lengths.size());
    for (int64_t row = range.begin; row < range.end; ++row) {
      float* x = op.logits.Row(row);
      const bool active = row / lanes < op.lengths[row % lanes];
      if (active) {
        op.losses[row] = Row(x, op.bias.data(), op.logits.cols, op.targets[row]);
      } else {
        std::fill(x, x + op.logits.cols, 0.0f);
        op.losses[row] = 0;
      }
      if (op.copy.data != nullptr) Copy(op, row, x);
    }
  }

  TENOR_KERNEL double Row(float* x, const float* bias, int64_t classes, int64_t target) {
    TENOR_INDEPENDENT_ITERATIONS
    for (int64_t k = 0; k < classes; ++k) x[k] += bias[k];
    const float max = Max(x, classes);
    const double of_target = static_cast<double>(x[target]) - max;
    TENOR_INDEPENDENT_ITERATIONS
    for (int64_t k = 0; k < classes; ++k) x[k] = FastExp(x[k] - max);
    const double sum = Sum(x, classes);
    const auto inverse = static_cast<float>(1 / sum);
    TENOR_INDEPENDENT_ITERATIONS
    for (int64_t k = 0; k < classes; ++k) x[k] *= inverse;
    x[target] -= 1.0f;
    return std::log(sum) - of_target;
  }

  TENOR_KERNEL void Copy(const SoftmaxCrossEntropy& op, int64_t row, const float* x) {
    if (op.copy.type == DataType::kFloat32) return CopyRow<float>(op, row, x);
    CopyRow<BFloat16>(op, row, x);
  }
  template <typename T>
  TENOR_KERNEL void CopyRow(const SoftmaxCrossEntropy& op, int64_t row, const float* x) {
    T* out = static_cast<T*>(op.copy.data) + row * op.copy.cols;
    TENOR_INDEPENDENT_ITERATIONS
    for (int64_t k = 0; k < op.copy.cols; ++k) Store(x[k], &out[k]);
  }
};

struct ColumnRange {
  const Matrix<const float>* x;
  float* sums;
  int64_t begin;
  int64_t end;
};

struct ColumnSumKernel {
  TENOR_KERNEL void Run(const ColumnRange& range) {
    for (int64_t row = 0; row < range.x->rows; ++row) {
      const float* x = range.x->Row(row);
      TENOR_INDEPENDENT_ITERATIONS
      for (int64_t j = range.begin; j < range.end; ++j) range.sums[j] += x[j];
    }
  }
};

}  // namespace

void Run(Exec& exec, const SoftmaxCrossEntropy& op) {
  const int64_t grain = std::max<int64_t>(1, kElementsWorthAThread / op.logits.cols);
  exec.pool().ParallelFor(0, op.logits.rows, grain, [&](int64_t begin, int64_t end) {
    RunFor<SoftmaxKernel>(exec.isa(), RowRange{&op, begin, end});
  });
}

void AddColumnSums(Exec& exec, Matrix<const float> x, std::span<float> sums) {
  const int64_t grain = std::max<int64_t>(16, kElementsWorthAThread / std::max<int64_t>(1, x.rows));
  exec.pool().ParallelFor(0, x.cols, grain, [&](int64_t begin, int64_t end) {
    RunFor<ColumnSumKernel>(exec.isa(), ColumnRange{&x, sums.data(), begin, end});
  });
}

}  // namespace tenor::cpu

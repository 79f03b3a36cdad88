#include <algorithm>
#include <cmath>

#include "ops/dot.h"
#include "ops/weight_norm.h"

namespace tenor::cpu {
namespace {

// Fewer elements than this are not worth waking a thread for.
constexpr int64_t kElementsWorthAThread = 16384;

template <typename Op>
struct Range {
  const Op* op;
  int64_t begin;  // rows [begin, end)
  int64_t end;
};

template <typename Kernel, typename Op>
void ForRows(Exec& exec, const Op& op) {
  const int64_t grain = std::max<int64_t>(1, kElementsWorthAThread / op.v.cols);
  exec.pool().ParallelFor(0, op.v.rows, grain, [&](int64_t begin, int64_t end) {
    RunFor<Kernel>(exec.isa(), Range<Op>{&op, begin, end});
  });
}

template <typename T>
struct ForwardKernel {
  TENOR_KERNEL void Run(const Range<WeightNorm>& range) {
    const WeightNorm& op = *range.op;
    for (int64_t row = range.begin; row < range.end; ++row) {
      const float* v = op.v.Row(row);
      T* w = static_cast<T*>(op.w.data) + row * op.w.cols;
      const double norm = std::sqrt(Dot(v, v, op.v.cols));
      op.inverse_norm[row] = norm > 0 ? static_cast<float>(1 / norm) : 0.0f;
      const float scale = norm > 0 ? static_cast<float>(op.g[row] / norm) : 0.0f;
      TENOR_INDEPENDENT_ITERATIONS
      for (int64_t k = 0; k < op.v.cols; ++k) Store(scale * v[k], &w[k]);
    }
  }
};

struct BackwardKernel {
  TENOR_KERNEL void Run(const Range<WeightNormBackward>& range) {
    const WeightNormBackward& op = *range.op;
    for (int64_t row = range.begin; row < range.end; ++row) {
      const float* v = op.v.Row(row);
      float* dw = op.dw.Row(row);
      const double inverse_norm = op.inverse_norm[row];
      const double dg = Dot(dw, v, op.v.cols) * inverse_norm;
      const auto scale = static_cast<float>(op.g[row] * inverse_norm);
      const auto projection = static_cast<float>(dg * inverse_norm);
      TENOR_INDEPENDENT_ITERATIONS
      for (int64_t k = 0; k < op.v.cols; ++k) dw[k] = scale * (dw[k] - projection * v[k]);
      op.dg[row] = static_cast<float>(dg);
    }
  }
};

}  // namespace

void Run(Exec& exec, const WeightNorm& op) {
  if (op.w.type == DataType::kFloat32) return ForRows<ForwardKernel<float>>(exec, op);
  ForRows<ForwardKernel<BFloat16>>(exec, op);
}

void Run(Exec& exec, const WeightNormBackward& op) { ForRows<BackwardKernel>(exec, op); }

}  // namespace tenor::cpu

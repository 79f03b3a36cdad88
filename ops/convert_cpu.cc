#include "ops/convert.h"

namespace tenor::cpu {
namespace {

// Fewer elements than this are not worth waking a thread for.
constexpr int64_t kElementsWorthAThread = 32768;

template <typename From, typename To>
struct Range {
  const From* from;
  To* to;
  int64_t begin;
  int64_t end;
};

template <typename From, typename To>
struct Kernel {
  TENOR_KERNEL void Run(const Range<From, To>& range) {
    const From* from = range.from;
    To* to = range.to;
    TENOR_INDEPENDENT_ITERATIONS
    for (int64_t i = range.begin; i < range.end; ++i) Store(ToFloat(from[i]), &to[i]);
  }
};

template <typename From, typename To>
void ForElements(Exec& exec, const void* from, void* to, int64_t count) {
  exec.pool().ParallelFor(0, count, kElementsWorthAThread, [&](int64_t begin, int64_t end) {
    RunFor<Kernel<From, To>>(exec.isa(), Range<From, To>{static_cast<const From*>(from),
                                                         static_cast<To*>(to), begin, end});
  });
}

}  // namespace

void Convert(Exec& exec, Matrix<const float> x, const MutableOperand& out) {
  const int64_t count = x.rows * x.cols;
  if (out.type == DataType::kFloat32)
    return ForElements<float, float>(exec, x.data, out.data, count);
  ForElements<float, BFloat16>(exec, x.data, out.data, count);
}

void Convert(Exec& exec, const Operand& x, Matrix<float> out) {
  const int64_t count = x.rows * x.cols;
  if (x.type == DataType::kFloat32) return ForElements<float, float>(exec, x.data, out.data, count);
  ForElements<BFloat16, float>(exec, x.data, out.data, count);
}

}  // namespace tenor::cpu

#include "ops/weight_norm.h"

#include "absl/strings/str_cat.h"
#include "base/status.h"

namespace tenor {
namespace {

absl::Status Check(const char* op, const Matrix<const float>& v, int64_t other_rows,
                   int64_t other_cols, std::initializer_list<size_t> vectors) {
  if (other_rows != v.rows || other_cols != v.cols) {
    return absl::InvalidArgumentError(absl::StrCat(op, ": v is [", v.rows, ", ", v.cols,
                                                   "], its partner [", other_rows, ", ", other_cols,
                                                   "]"));
  }
  for (const size_t size : vectors) {
    if (size != static_cast<size_t>(v.rows)) {
      return absl::InvalidArgumentError(
          absl::StrCat(op, ": a vector of ", size, " elements for ", v.rows, " rows"));
    }
  }
  return absl::OkStatus();
}

template <typename Op>
absl::Status Dispatch(Exec& exec, const Op& op) {
  if (exec.device() != Device::kCpu) return NoKernel("WeightNorm", exec.device());
  cpu::Run(exec, op);
  return absl::OkStatus();
}

}  // namespace

absl::Status Run(Exec& exec, const WeightNorm& op) {
  TENOR_RETURN_IF_ERROR(
      Check("WeightNorm", op.v, op.w.rows, op.w.cols, {op.g.size(), op.inverse_norm.size()}));
  return Dispatch(exec, op);
}

absl::Status Run(Exec& exec, const WeightNormBackward& op) {
  TENOR_RETURN_IF_ERROR(Check("WeightNormBackward", op.v, op.dw.rows, op.dw.cols,
                              {op.g.size(), op.inverse_norm.size(), op.dg.size()}));
  return Dispatch(exec, op);
}

}  // namespace tenor

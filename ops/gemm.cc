#include "ops/gemm.h"

#include "absl/strings/str_cat.h"
#include "base/status.h"

namespace tenor {
namespace {

std::string Shape(int64_t rows, int64_t cols) { return absl::StrCat("[", rows, ", ", cols, "]"); }

absl::Status CheckDense(const char* name, const Operand& x) {
  const bool row_major = x.col_stride == 1 && x.row_stride >= x.cols;
  const bool column_major = x.row_stride == 1 && x.col_stride >= x.rows;
  if (row_major || column_major) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("Gemm: ", name, " ", Shape(x.rows, x.cols),
                                                 " has strides ", x.row_stride, " and ",
                                                 x.col_stride, "; one of them must be 1"));
}

absl::Status Check(const Exec& exec, const Operand& a, const Operand& b, const Matrix<float>& c) {
  if (a.cols != b.rows || a.rows != c.rows || b.cols != c.cols || c.rows < 1 || c.cols < 1 ||
      a.cols < 1) {
    return absl::InvalidArgumentError(absl::StrCat("Gemm: ", Shape(a.rows, a.cols), " times ",
                                                   Shape(b.rows, b.cols), " does not give ",
                                                   Shape(c.rows, c.cols)));
  }
  if (a.type != b.type) {
    return absl::InvalidArgumentError(
        absl::StrCat("Gemm: A is ", NameOf(a.type), ", B is ", NameOf(b.type)));
  }
  if (c.stride < c.cols) {
    return absl::InvalidArgumentError(
        absl::StrCat("Gemm: rows of C ", Shape(c.rows, c.cols), " overlap: stride ", c.stride));
  }
  TENOR_RETURN_IF_ERROR(CheckDense("A", a));
  TENOR_RETURN_IF_ERROR(CheckDense("B", b));
  return exec.CheckSupports(a.type);
}

}  // namespace

absl::Status Gemm(Exec& exec, const Operand& a, const Operand& b, Output output, Matrix<float> c) {
  TENOR_RETURN_IF_ERROR(Check(exec, a, b, c));
  if (exec.device() != Device::kCpu) return NoKernel("Gemm", exec.device());
  return cpu::Gemm(exec, a, b, output, c);
}

absl::Status Gemm(Exec& exec, const Operand& a, PackedMatrix& b, Output output, Matrix<float> c) {
  TENOR_RETURN_IF_ERROR(Check(exec, a, b.source(), c));
  if (exec.device() != Device::kCpu) return NoKernel("Gemm", exec.device());
  return cpu::Gemm(exec, a, b, output, c);
}

}  // namespace tenor

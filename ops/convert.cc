#include "ops/convert.h"

#include "absl/strings/str_cat.h"
#include "base/status.h"

namespace tenor {
namespace {

template <typename From, typename To>
absl::Status Check(const Exec& exec, const From& from, const To& to, bool contiguous) {
  if (from.rows != to.rows || from.cols != to.cols || !contiguous) {
    return absl::InvalidArgumentError(absl::StrCat("Convert: [", from.rows, ", ", from.cols,
                                                   "] to [", to.rows, ", ", to.cols,
                                                   contiguous ? "]" : "], not contiguous"));
  }
  return exec.device() == Device::kCpu ? absl::OkStatus() : NoKernel("Convert", exec.device());
}

}  // namespace

absl::Status Convert(Exec& exec, Matrix<const float> x, const MutableOperand& out) {
  TENOR_RETURN_IF_ERROR(Check(exec, x, out, x.stride == x.cols));
  cpu::Convert(exec, x, out);
  return absl::OkStatus();
}

absl::Status Convert(Exec& exec, const Operand& x, Matrix<float> out) {
  const bool contiguous = x.row_stride == x.cols && x.col_stride == 1 && out.stride == out.cols;
  TENOR_RETURN_IF_ERROR(Check(exec, x, out, contiguous));
  cpu::Convert(exec, x, out);
  return absl::OkStatus();
}

}  // namespace tenor

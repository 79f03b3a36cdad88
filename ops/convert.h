// Copies between FP32 and the compute type.
#ifndef TENOR_OPS_CONVERT_H_
#define TENOR_OPS_CONVERT_H_

#include "ops/exec.h"
#include "ops/tensor.h"

namespace tenor {

// out = x, rounded to out's type. InvalidArgument: shapes differ or x is not contiguous.
absl::Status Convert(Exec& exec, Matrix<const float> x, const MutableOperand& out);

// out = x, exactly. InvalidArgument: shapes differ or one of them is not contiguous.
absl::Status Convert(Exec& exec, const Operand& x, Matrix<float> out);

// Kernels; called by the dispatch above, which has checked the arguments.
namespace cpu {
void Convert(Exec& exec, Matrix<const float> x, const MutableOperand& out);
void Convert(Exec& exec, const Operand& x, Matrix<float> out);
}  // namespace cpu

}  // namespace tenor

#endif  // TENOR_OPS_CONVERT_H_

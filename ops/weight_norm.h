// Weight normalisation of a matrix [rows, cols], one norm a row: w = g v / ||v||.
// Source: Salimans, Kingma, "Weight Normalization" (2016), equations 2 and 3.
#ifndef TENOR_OPS_WEIGHT_NORM_H_
#define TENOR_OPS_WEIGHT_NORM_H_

#include <span>

#include "absl/status/status.h"
#include "ops/exec.h"
#include "ops/tensor.h"

namespace tenor {

// w = g v / ||v||, with w in FP32 or BF16. Norms are summed in double. A row of zeros gives a row
// of zeros (and no gradient, below).
struct WeightNorm {
  Matrix<const float> v;          // [rows, cols]
  std::span<const float> g;       // [rows]
  MutableOperand w;               // [rows, cols]
  std::span<float> inverse_norm;  // [rows], out: 1 / ||v||, 0 for a row of zeros
};
absl::Status Run(Exec& exec, const WeightNorm& op);

// From the gradient of w those of g and v, in place:
//   dg = dw . v / ||v||          dv = g / ||v|| (dw - (dw . v / ||v||) v / ||v||)
struct WeightNormBackward {
  Matrix<const float> v;                // [rows, cols]
  std::span<const float> g;             // [rows]
  std::span<const float> inverse_norm;  // [rows]
  Matrix<float> dw;                     // [rows, cols], in: of w; out: of v
  std::span<float> dg;                  // [rows], out
};
absl::Status Run(Exec& exec, const WeightNormBackward& op);

// Kernels; called by the dispatch above, which has checked the arguments.
namespace cpu {
void Run(Exec& exec, const WeightNorm& op);
void Run(Exec& exec, const WeightNormBackward& op);
}  // namespace cpu

}  // namespace tenor

#endif  // TENOR_OPS_WEIGHT_NORM_H_

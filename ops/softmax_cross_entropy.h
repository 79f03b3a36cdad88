// Softmax with cross-entropy over the last axis, and its gradient.
#ifndef TENOR_OPS_SOFTMAX_CROSS_ENTROPY_H_
#define TENOR_OPS_SOFTMAX_CROSS_ENTROPY_H_

#include <cstdint>
#include <span>

#include "absl/status/status.h"
#include "ops/exec.h"
#include "ops/tensor.h"

namespace tenor {

// For each row r of logits + bias: loss -log softmax(row)[target[r]] in nats. Row r belongs to time
// step r / lanes and lane r % lanes, lanes = lengths.size(); where the step is not below the lane's
// length the loss is 0 and so is the gradient.
struct SoftmaxCrossEntropy {
  Matrix<float> logits;              // [rows, classes], contiguous; in: without bias;
                                     // out: gradient of the summed loss
  std::span<const float> bias;       // [classes]
  std::span<const uint8_t> targets;  // [rows], each below classes
  std::span<const int> lengths;      // [lanes]
  MutableOperand copy;               // [rows, classes] or without data: the gradient, rounded
  std::span<double> losses;          // [rows], out
};
// InvalidArgument: shapes do not fit.
absl::Status Run(Exec& exec, const SoftmaxCrossEntropy& op);

// sums[j] += the sum over rows of x[., j], rows in order. InvalidArgument: shapes do not fit.
absl::Status AddColumnSums(Exec& exec, Matrix<const float> x, std::span<float> sums);

// Kernels; called by the dispatch above, which has checked the arguments.
namespace cpu {
void Run(Exec& exec, const SoftmaxCrossEntropy& op);
void AddColumnSums(Exec& exec, Matrix<const float> x, std::span<float> sums);
}  // namespace cpu

}  // namespace tenor

#endif  // TENOR_OPS_SOFTMAX_CROSS_ENTROPY_H_

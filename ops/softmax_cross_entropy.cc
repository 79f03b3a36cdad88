#include "ops/softmax_cross_entropy.h"

#include "absl/strings/str_cat.h"

namespace tenor {
namespace {

// Targets are bytes: any of them is a class.
constexpr int64_t kMinClasses = 256;

bool Fits(const SoftmaxCrossEntropy& op) {
  const auto rows = static_cast<size_t>(op.logits.rows);
  const bool copy_fits =
      op.copy.data == nullptr || (op.copy.rows == op.logits.rows && op.copy.cols == op.logits.cols);
  return op.targets.size() == rows && op.losses.size() == rows && !op.lengths.empty() &&
         op.logits.cols >= kMinClasses && op.logits.stride == op.logits.cols &&
         op.bias.size() == static_cast<size_t>(op.logits.cols) && copy_fits;
}

}  // namespace

absl::Status Run(Exec& exec, const SoftmaxCrossEntropy& op) {
  if (!Fits(op)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "SoftmaxCrossEntropy: logits [", op.logits.rows, ", ", op.logits.cols, "] with ",
        op.bias.size(), " biases, ", op.targets.size(), " targets, ", op.losses.size(), " losses, ",
        op.lengths.size(), " lengths, copy [", op.copy.rows, ", ", op.copy.cols, "]"));
  }
  if (exec.device() != Device::kCpu) return NoKernel("SoftmaxCrossEntropy", exec.device());
  cpu::Run(exec, op);
  return absl::OkStatus();
}

absl::Status AddColumnSums(Exec& exec, Matrix<const float> x, std::span<float> sums) {
  if (sums.size() != static_cast<size_t>(x.cols)) {
    return absl::InvalidArgumentError(
        absl::StrCat("AddColumnSums: ", sums.size(), " sums for ", x.cols, " columns"));
  }
  if (exec.device() != Device::kCpu) return NoKernel("AddColumnSums", exec.device());
  cpu::AddColumnSums(exec, x, sums);
  return absl::OkStatus();
}

}  // namespace tenor

// What the mLSTM's passes compute with, made from one version of its parameters.
#ifndef TENOR_MODEL_MLSTM_WEIGHTS_H_
#define TENOR_MODEL_MLSTM_WEIGHTS_H_

#include <span>
#include <vector>

#include "absl/status/status.h"
#include "model/mlstm_config.h"
#include "ops/aligned_buffer.h"
#include "ops/exec.h"
#include "ops/gemm.h"
#include "ops/tensor.h"

namespace tenor {

// Effective weights w = g v / ||v|| in the compute type, and the products of the input matrices
// with all 256 embeddings, which replace the products with the input in every step.
// Thread-compatible.
class MlstmWeights {
 public:
  // REQUIRES: Validate(config) is OK.
  MlstmWeights(const MlstmConfig& config, DataType type);

  // `flat` stays where it is, unchanged, as long as this version is used.
  // InvalidArgument: not the layout's size.
  absl::Status Set(Exec& exec, std::span<const float> flat);

  bool is_set() const { return !flat_.empty(); }
  const Layout& layout() const { return layout_; }
  DataType type() const { return type_; }
  int64_t units() const { return units_; }

  // Parameters. REQUIRES for Parameters: a tensor of two dimensions.
  std::span<const float> Vector(size_t tensor) const;
  Matrix<const float> Parameters(size_t tensor) const;
  // 1 / ||v|| of each row of a matrix kW..V.
  std::span<const float> InverseNorms(size_t matrix) const { return inverse_norms_[matrix]; }

  // Products with one operand of these, forward as x W^T and backward as y W.
  PackedMatrix& wmh_forward() { return wmh_forward_; }            // [H, H]
  PackedMatrix& wmh_backward() { return wmh_backward_; }          // [H, H]
  PackedMatrix& wh_forward() { return wh_forward_; }              // [H, 4H]
  PackedMatrix& wh_backward() { return wh_backward_; }            // [4H, H]
  PackedMatrix& decoder_forward() { return decoder_forward_; }    // [H, 256]
  PackedMatrix& decoder_backward() { return decoder_backward_; }  // [256, H]

  Matrix<const float> wmx() const { return wmx_.Floats(units_, inputs_); }              // [H, E]
  Matrix<const float> wx() const { return wx_.Floats(4 * units_, inputs_); }            // [4H, E]
  Matrix<const float> table_m() const { return table_m_.Floats(kByteValues, units_); }  // [256, H]
  // [256, 4H], with the bias
  Matrix<const float> table_z() const { return table_z_.Floats(kByteValues, 4 * units_); }

 private:
  // The effective weights of the matrix `tensor` (kW..V), into `out`.
  absl::Status Normalise(Exec& exec, size_t tensor, const MutableOperand& out);
  absl::Status MakeRecurrent(Exec& exec);
  absl::Status MakeTables(Exec& exec);
  absl::Status MakeDecoder(Exec& exec);

  const Layout layout_;
  const DataType type_;
  const int64_t units_;
  const int64_t inputs_;

  std::span<const float> flat_;
  std::vector<std::vector<float>> inverse_norms_;  // by tensor; empty for all but kW..V
  AlignedBuffer wmx_, wx_, wmh_, wh_, decoder_, table_m_, table_z_;
  PackedMatrix wmh_forward_, wmh_backward_, wh_forward_, wh_backward_;
  PackedMatrix decoder_forward_, decoder_backward_;
};

}  // namespace tenor

#endif  // TENOR_MODEL_MLSTM_WEIGHTS_H_

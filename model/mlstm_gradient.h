// The gradient of the mLSTM's parameters over the windows of one training step.
#ifndef TENOR_MODEL_MLSTM_GRADIENT_H_
#define TENOR_MODEL_MLSTM_GRADIENT_H_

#include <span>

#include "absl/status/status.h"
#include "model/mlstm_step.h"
#include "model/mlstm_tape.h"
#include "model/mlstm_weights.h"
#include "model/model.h"
#include "ops/aligned_buffer.h"
#include "ops/exec.h"

namespace tenor {

// Weights of one version are constant over a step, so gradients of the effective weights w add up
// over its windows, in the places of v in the flat vector, and are turned into those of (g, v)
// once, at the step's end. The same holds for the tables: their gradients become those of Wmx, Wx,
// the bias and the embedding at the end. Thread-compatible.
class MlstmGradient {
 public:
  explicit MlstmGradient(const MlstmConfig& config);

  bool is_open() const { return !flat_.empty(); }

  // InvalidArgument: not the layout's size.
  absl::Status Begin(std::span<float> flat);

  // Where a window's backward pass adds. REQUIRES: is_open().
  MlstmTableGradients tables();

  // Adds the products of a window's tape.
  absl::Status Add(Exec& exec, const MlstmTape& tape);

  // As Add, where `tape` is not null, and makes the gradient final from its end, piece by piece.
  absl::Status Finish(Exec& exec, const MlstmTape* tape, const MlstmWeights& weights,
                      const ByteModel::OnFinal& on_final);

  // Closes the step; the gradient means nothing.
  void Abandon() { flat_ = {}; }

 private:
  std::span<float> Vector(size_t tensor);
  Matrix<float> Tensor(size_t tensor);
  Output output() const { return windows_ == 0 ? Output::kOverwrite : Output::kAccumulate; }
  void Report(const ByteModel::OnFinal& on_final, size_t tensor, int64_t row = 0);

  absl::Status AddDecoder(Exec& exec, const MlstmTape& tape);
  // dW of rows [first, first + count) of kWhV or kWmhV.
  absl::Status AddRecurrent(Exec& exec, const MlstmTape& tape, size_t matrix, int64_t first,
                            int64_t count);
  // From the gradient of w, rows [first, first + count), to that of g and v.
  absl::Status Denormalise(Exec& exec, const MlstmWeights& weights, size_t matrix, int64_t first,
                           int64_t count);
  absl::Status FinishBias(Exec& exec);
  absl::Status FinishRecurrent(Exec& exec, const MlstmTape* tape, const MlstmWeights& weights,
                               size_t matrix, const ByteModel::OnFinal& on_final);
  absl::Status FinishInput(Exec& exec, const MlstmWeights& weights, size_t matrix);
  absl::Status FinishEmbedding(Exec& exec, const MlstmWeights& weights);

  const Layout layout_;
  const int64_t units_;
  std::span<float> flat_;
  int64_t windows_ = 0;  // added so far in this step
  AlignedBuffer table_m_, table_z_;
};

}  // namespace tenor

#endif  // TENOR_MODEL_MLSTM_GRADIENT_H_

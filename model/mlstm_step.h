// One time step of the mLSTM: two products and two pointwise passes, forward and backward.
#ifndef TENOR_MODEL_MLSTM_STEP_H_
#define TENOR_MODEL_MLSTM_STEP_H_

#include "absl/status/status.h"
#include "model/mlstm_tape.h"
#include "model/mlstm_weights.h"
#include "ops/exec.h"
#include "ops/mlstm_cell.h"

namespace tenor {

// Computes h and c of input.step from those before it.
absl::Status StepForward(Exec& exec, MlstmWeights& weights, const MlstmInput& input,
                         const MlstmTape& tape);

// Gradients with respect to the two tables of MlstmWeights, summed.
struct MlstmTableGradients {
  Matrix<float> m;  // [256, H]
  Matrix<float> z;  // [256, 4H]
};

// Backward through input.step: from dh of the step and dc computes dz, dp; adds to dh of the step
// before, where there is one, and to the tables.
absl::Status StepBackward(Exec& exec, MlstmWeights& weights, const MlstmInput& input,
                          const MlstmTape& tape, const MlstmTableGradients& tables);

}  // namespace tenor

#endif  // TENOR_MODEL_MLSTM_STEP_H_

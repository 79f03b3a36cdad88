#include "model/mlstm_step.h"

#include "base/status.h"
#include "ops/gemm.h"

namespace tenor {

absl::Status StepForward(Exec& exec, MlstmWeights& weights, const MlstmInput& input,
                         const MlstmTape& tape) {
  const int64_t t = input.step;
  TENOR_RETURN_IF_ERROR(
      Gemm(exec, tape.h(t - 1), weights.wmh_forward(), Output::kOverwrite, tape.p(t)));
  TENOR_RETURN_IF_ERROR(Run(
      exec,
      MlstmMultiply{.input = input, .table_m = weights.table_m(), .p = tape.p(t), .m = tape.m(t)}));
  TENOR_RETURN_IF_ERROR(
      Gemm(exec, tape.m(t), weights.wh_forward(), Output::kOverwrite, tape.gates(t)));
  return Run(exec, MlstmCell{.input = input,
                             .table_z = weights.table_z(),
                             .gates = tape.gates(t),
                             .c_before = tape.c(t - 1),
                             .c = tape.c(t),
                             .h_before = tape.h(t - 1),
                             .h = tape.h(t)});
}

absl::Status StepBackward(Exec& exec, MlstmWeights& weights, const MlstmInput& input,
                          const MlstmTape& tape, const MlstmTableGradients& tables) {
  const int64_t t = input.step;
  TENOR_RETURN_IF_ERROR(Run(exec, MlstmCellBackward{.input = input,
                                                    .gates = tape.gates(t),
                                                    .c_before = tape.c(t - 1),
                                                    .c = tape.c(t),
                                                    .dh = tape.dh(t),
                                                    .dc = tape.dc(),
                                                    .dz = tape.dz(t),
                                                    .dtable_z = tables.z}));
  TENOR_RETURN_IF_ERROR(
      Gemm(exec, tape.dz(t), weights.wh_backward(), Output::kOverwrite, tape.dm()));
  TENOR_RETURN_IF_ERROR(Run(exec, MlstmMultiplyBackward{.input = input,
                                                        .table_m = weights.table_m(),
                                                        .p = tape.p(t),
                                                        .dm = tape.dm(),
                                                        .dp = tape.dp(t),
                                                        .dtable_m = tables.m}));
  if (t == 0) return absl::OkStatus();  // The state before the window is a constant.
  return Gemm(exec, tape.dp(t), weights.wmh_backward(), Output::kAccumulate, tape.dh(t - 1));
}

}  // namespace tenor

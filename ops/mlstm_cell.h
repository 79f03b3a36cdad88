// The pointwise part of one time step of the multiplicative LSTM, forward and backward.
// Source: Krause, Lu, Murray, Renals, "Multiplicative LSTM for sequence modelling" (2016),
// equations 1-9 of its section 3, with the output gate applied outside the tanh as Radford,
// Jozefowicz and Sutskever (2017) do.
//
// B lanes, H units. The input of a lane is one byte, so the products with the input are rows of two
// tables that hold them for all 256 bytes:
//   table_m [256, H]   Wmx x          table_z [256, 4H]   Wx x + b
// Gates lie in a row of 4H as i, f, o, u. A lane is active at this time step if step <
// lengths[lane]; an inactive lane keeps h and c, and gives no gradient. All functions: the same
// bits whatever the number of threads; the views must be [rows, cols] as stated (InvalidArgument
// otherwise). Outputs that are MutableOperand are FP32 or BF16.
#ifndef TENOR_OPS_MLSTM_CELL_H_
#define TENOR_OPS_MLSTM_CELL_H_

#include <cstdint>
#include <span>

#include "absl/status/status.h"
#include "ops/exec.h"
#include "ops/tensor.h"

namespace tenor {

// Which lanes read which byte at one time step.
struct MlstmInput {
  std::span<const uint8_t> bytes;  // [B]
  std::span<const int> lengths;    // [B]
  int step = 0;
};

// m = table_m[byte] * p, elementwise.
struct MlstmMultiply {
  MlstmInput input;
  Matrix<const float> table_m;  // [256, H]
  Matrix<const float> p;        // [B, H], Wmh h
  MutableOperand m;             // [B, H]
};
absl::Status Run(Exec& exec, const MlstmMultiply& op);

// z = gates + table_z[byte];  i, f, o = sigmoid(z), u = tanh(z);  c = f c_before + i u;
// h = o tanh(c).
struct MlstmCell {
  MlstmInput input;
  Matrix<const float> table_z;   // [256, 4H]
  Matrix<float> gates;           // [B, 4H], in: Wh m; out: i, f, o, u
  Matrix<const float> c_before;  // [B, H]
  Matrix<float> c;               // [B, H]; may be c_before itself
  Operand h_before;              // [B, H], contiguous, of h's type
  MutableOperand h;              // [B, H]; may be h_before itself
};
absl::Status Run(Exec& exec, const MlstmCell& op);

// Gradient of MlstmCell. dz is that of the gates before their activation; rows of inactive lanes
// are 0.
struct MlstmCellBackward {
  MlstmInput input;
  Matrix<const float> gates;     // [B, 4H], i, f, o, u
  Matrix<const float> c_before;  // [B, H]
  Matrix<const float> c;         // [B, H]
  Matrix<const float> dh;        // [B, H]
  Matrix<float> dc;              // [B, H], in: of c from the next time step; out: of c_before
  MutableOperand dz;             // [B, 4H]; may be the memory of gates
  Matrix<float> dtable_z;        // [256, 4H], += dz of each lane at its byte's row
};
absl::Status Run(Exec& exec, const MlstmCellBackward& op);

// Gradient of MlstmMultiply.
struct MlstmMultiplyBackward {
  MlstmInput input;
  Matrix<const float> table_m;  // [256, H]
  Matrix<const float> p;        // [B, H]
  Matrix<const float> dm;       // [B, H]
  MutableOperand dp;            // [B, H]; may be the memory of dm
  Matrix<float> dtable_m;       // [256, H], += of each lane at its byte's row
};
absl::Status Run(Exec& exec, const MlstmMultiplyBackward& op);

// Kernels; called by the dispatch above, which has checked the arguments.
namespace cpu {
void Run(Exec& exec, const MlstmMultiply& op);
void Run(Exec& exec, const MlstmCell& op);
void Run(Exec& exec, const MlstmCellBackward& op);
void Run(Exec& exec, const MlstmMultiplyBackward& op);
}  // namespace cpu

}  // namespace tenor

#endif  // TENOR_OPS_MLSTM_CELL_H_

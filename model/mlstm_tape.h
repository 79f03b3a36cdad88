// The memory of one window's passes through the mLSTM.
#ifndef TENOR_MODEL_MLSTM_TAPE_H_
#define TENOR_MODEL_MLSTM_TAPE_H_

#include <cstdint>
#include <span>

#include "ops/aligned_buffer.h"
#include "ops/tensor.h"

namespace tenor {

// What a forward pass leaves for the backward pass and both for the gradient: rows of all time
// steps stacked, step t at rows [t B, (t + 1) B). A tape for the forward pass alone keeps just h of
// every step; its other buffers hold one step. Thread-compatible.
class MlstmTape {
 public:
  enum class Use { kForward, kForwardBackward };

  MlstmTape(int64_t units, DataType type, Use use) : units_(units), type_(type), use_(use) {}

  // Makes room for `steps` time steps of `lanes`. Allocates only where it never had as much room.
  void Plan(int64_t lanes, int64_t steps);
  // What Plan would hold in all.
  static size_t Bytes(int64_t units, DataType type, Use use, int64_t lanes, int64_t steps);

  int64_t lanes() const { return lanes_; }
  int64_t steps() const { return steps_; }
  int64_t rows() const { return lanes_ * steps_; }

  // Of one time step. h and c have the state before step 0 at step -1.
  MutableOperand h(int64_t step) const;     // [B, H]
  Matrix<float> c(int64_t step) const;      // [B, H]
  Matrix<float> p(int64_t step) const;      // [B, H]   Wmh h
  MutableOperand m(int64_t step) const;     // [B, H]
  Matrix<float> gates(int64_t step) const;  // [B, 4H]  i, f, o, u
  Matrix<float> dh(int64_t step) const;     // [B, H]
  MutableOperand dp(int64_t step) const;    // [B, H]; in FP32 the memory of p
  MutableOperand dz(int64_t step) const;    // [B, 4H]; in FP32 the memory of gates
  Matrix<float> dm() const;                 // [B, H]
  Matrix<float> dc() const;                 // [B, H]

  // Of all steps, [rows(), .].
  Operand all_h_before() const { return h(-1).Rows(0, rows()); }
  Operand all_h() const { return h(0).Rows(0, rows()); }
  Operand all_m() const { return m(0).Rows(0, rows()); }
  Operand all_dp() const { return dp(0).Rows(0, rows()); }
  Operand all_dz() const { return dz(0).Rows(0, rows()); }
  Matrix<float> all_dh() const;
  Matrix<float> logits() const;      // [rows(), 256], then their gradient
  MutableOperand dlogits() const;    // the same in the compute type; in FP32 the same memory
  std::span<double> losses() const;  // [rows()]

 private:
  // Rows of `step` where the buffer holds every step, the first rows where it holds one.
  int64_t RowOf(int64_t step) const { return use_ == Use::kForward ? 0 : step * lanes_; }

  const int64_t units_;
  const DataType type_;
  const Use use_;
  int64_t lanes_ = 0;
  int64_t steps_ = 0;
  AlignedBuffer h_, c_, p_, m_, gates_, dh_, dp_, dz_, dm_, dc_, logits_, dlogits_, losses_;
};

}  // namespace tenor

#endif  // TENOR_MODEL_MLSTM_TAPE_H_

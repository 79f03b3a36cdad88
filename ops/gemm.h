// Matrix products.
#ifndef TENOR_OPS_GEMM_H_
#define TENOR_OPS_GEMM_H_

#include <memory>

#include "absl/status/status.h"
#include "ops/exec.h"
#include "ops/tensor.h"

namespace tenor {

// C [m, n] = A [m, k] B [k, n]  (kOverwrite)   or   C += A B  (kAccumulate).
//
// A and B have one element type, FP32 or BF16; products and sums are FP32. One stride of each
// operand is 1, so a transposed view costs no copy here. The result is the same bits for the same
// input, shape, Exec threads and processor. Nothing is allocated once a shape has been seen. C must
// not overlap A or B.
//
// InvalidArgument: shapes or types do not fit, or a view is not dense in one direction.
// FailedPrecondition: BF16 where the processor has none (Exec::CheckSupports).
// Internal: the engine failed.
absl::Status Gemm(Exec& exec, const Operand& a, const Operand& b, Output output, Matrix<float> c);

// A right-hand operand of many products, kept in the layouts that the engine likes best. A layout
// is made by the first product of a shape after Assign. Thread-compatible. Lives no longer than its
// Exec.
class PackedMatrix {
 public:
  struct Layouts;  // ops/gemm_cpu.cc

  PackedMatrix();
  ~PackedMatrix();
  PackedMatrix(PackedMatrix&&) noexcept;
  PackedMatrix& operator=(PackedMatrix&&) noexcept;

  // Takes `source` as the matrix; products read it, so its data stays where it is, unchanged, until
  // the next Assign. Call it again when the data has changed.
  void Assign(const Operand& source);

  const Operand& source() const { return source_; }
  Layouts& layouts() { return *layouts_; }

 private:
  Operand source_;
  std::unique_ptr<Layouts> layouts_;
};

// As Gemm with B = b.source().
absl::Status Gemm(Exec& exec, const Operand& a, PackedMatrix& b, Output output, Matrix<float> c);

// Kernels; called by the dispatch above, which has checked the arguments.
namespace cpu {
absl::Status Gemm(Exec& exec, const Operand& a, const Operand& b, Output output, Matrix<float> c);
absl::Status Gemm(Exec& exec, const Operand& a, PackedMatrix& b, Output output, Matrix<float> c);
}  // namespace cpu

}  // namespace tenor

#endif  // TENOR_OPS_GEMM_H_

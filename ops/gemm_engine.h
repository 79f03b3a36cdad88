// oneDNN as GEMM kernels see it. Include it only from exec.cc and GEMM kernels of the CPU.
#ifndef TENOR_OPS_GEMM_ENGINE_H_
#define TENOR_OPS_GEMM_ENGINE_H_

#include <compare>
#include <cstdint>
#include <map>
#include <unordered_map>

#include "oneapi/dnnl/dnnl.hpp"
#include "ops/aligned_buffer.h"
#include "ops/data_type.h"
#include "ops/tensor.h"

namespace tenor {

// oneDNN's engine and stream with every matmul primitive made so far. Its member functions throw
// dnnl::error. Thread-compatible.
class GemmEngine {
 public:
  // All that a primitive depends on.
  struct Key {
    int64_t m, n, k;
    int64_t a_row, a_col, b_row, b_col, c_row;  // strides
    DataType type;
    Output output;
    bool packed;  // B in the layout of oneDNN's choice; b_row and b_col do not matter

    friend auto operator<=>(const Key&, const Key&) = default;
  };

  // A primitive with the memory objects that it runs on; only their pointers change.
  struct Product {
    dnnl::matmul primitive;
    dnnl::memory a, b, c;
    std::unordered_map<int, dnnl::memory> arguments;
  };

  explicit GemmEngine(int threads);

  Product& Find(const Key& key);
  void Run(Product& product, const void* a, const void* b, float* c);
  // Copies `from` at `source` into `to`, changing the layout.
  void Reorder(const dnnl::memory::desc& from, const void* source, dnnl::memory& to);

  const dnnl::engine& engine() const { return engine_; }
  // FP32 copies of BF16 operands (Exec::emulate_bf16).
  AlignedBuffer& scratch(int operand) { return scratch_[operand]; }

 private:
  Product Make(const Key& key);
  // oneDNN plans and runs with as many threads as OpenMP has set for the calling thread.
  void SetThreads();

  const int threads_;
  dnnl::engine engine_;
  dnnl::stream stream_;
  std::map<Key, Product> products_;
  AlignedBuffer scratch_[2];
};

}  // namespace tenor

#endif  // TENOR_OPS_GEMM_ENGINE_H_

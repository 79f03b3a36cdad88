// Memory of a workspace: planned once, reused by every step.
#ifndef TENOR_OPS_ALIGNED_BUFFER_H_
#define TENOR_OPS_ALIGNED_BUFFER_H_

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>

#include "ops/tensor.h"

namespace tenor {

// Uninitialised bytes on a cache line's boundary. Thread-compatible; move-only.
class AlignedBuffer {
 public:
  // Makes at least `bytes` available. Growing discards the contents; shrinking does nothing.
  void Reserve(size_t bytes) {
    if (bytes <= capacity_) return;
    data_.reset();
    data_.reset(::operator new (bytes, std::align_val_t{kAlignment}));
    capacity_ = bytes;
  }

  void* data() const { return data_.get(); }
  size_t capacity() const { return capacity_; }

  // The buffer's start as float [rows, cols]. REQUIRES: reserved for it.
  Matrix<float> Floats(int64_t rows, int64_t cols) const {
    return {static_cast<float*>(data()), rows, cols};
  }
  // The buffer's start as [rows, cols] of `type`. REQUIRES: reserved for it.
  MutableOperand Elements(DataType type, int64_t rows, int64_t cols) const {
    return {data(), type, rows, cols};
  }

 private:
  static constexpr size_t kAlignment = 64;
  struct Free {
    void operator()(void* p) const { ::operator delete (p, std::align_val_t{kAlignment}); }
  };

  std::unique_ptr<void, Free> data_;
  size_t capacity_ = 0;
};

}  // namespace tenor

#endif  // TENOR_OPS_ALIGNED_BUFFER_H_

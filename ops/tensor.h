// Views of matrices that somebody else owns. A view is two pointers' worth of plain data and is
// passed by value; it never owns and never checks.
#ifndef TENOR_OPS_TENSOR_H_
#define TENOR_OPS_TENSOR_H_

#include <cstdint>

#include "ops/data_type.h"

namespace tenor {

// Row-major [rows, cols] of T; row r starts at data + r * stride (elements).
template <typename T>
struct Matrix {
  T* data = nullptr;
  int64_t rows = 0;
  int64_t cols = 0;
  int64_t stride = 0;

  Matrix() = default;
  Matrix(T* d, int64_t r, int64_t c) : data(d), rows(r), cols(c), stride(c) {}
  Matrix(T* d, int64_t r, int64_t c, int64_t s) : data(d), rows(r), cols(c), stride(s) {}
  // A view to write through is also a view to read through.
  template <typename U>
  requires(!__is_same(U, T) && __is_same(const U, T))
      Matrix(const Matrix<U>& other)  // NOLINT(google-explicit-constructor)
      : data(other.data), rows(other.rows), cols(other.cols), stride(other.stride) {}

  T* Row(int64_t row) const { return data + row * stride; }
  // Rows [first, first + count).
  Matrix Rows(int64_t first, int64_t count) const { return {Row(first), count, cols, stride}; }
};

// [rows, cols] whose element type is known at run time: what a GEMM reads. Element (r, c) is at
// r * row_stride + c * col_stride elements; one of the strides is 1.
struct Operand {
  const void* data = nullptr;
  DataType type = DataType::kFloat32;
  int64_t rows = 0;
  int64_t cols = 0;
  int64_t row_stride = 0;
  int64_t col_stride = 1;

  Operand() = default;
  Operand(Matrix<const float> m)  // NOLINT(google-explicit-constructor)
      : data(m.data), rows(m.rows), cols(m.cols), row_stride(m.stride) {}
  Operand(Matrix<float> m) : Operand(Matrix<const float>(m)) {}  // NOLINT
  Operand(const void* d, DataType t, int64_t r, int64_t c)
      : data(d), type(t), rows(r), cols(c), row_stride(c) {}

  // Columns [first, first + count).
  Operand Columns(int64_t first, int64_t count) const {
    Operand out = *this;
    out.data =
        static_cast<const char*>(data) + first * col_stride * static_cast<int64_t>(SizeOf(type));
    out.cols = count;
    return out;
  }

  Operand Transposed() const {
    Operand out = *this;
    out.rows = cols;
    out.cols = rows;
    out.row_stride = col_stride;
    out.col_stride = row_stride;
    return out;
  }
};

// Contiguous row-major [rows, cols] to write, whose element type is known at run time.
struct MutableOperand {
  void* data = nullptr;
  DataType type = DataType::kFloat32;
  int64_t rows = 0;
  int64_t cols = 0;

  operator Operand() const { return {data, type, rows, cols}; }  // NOLINT

  // Rows [first, first + count).
  MutableOperand Rows(int64_t first, int64_t count) const {
    char* start = static_cast<char*>(data) + first * cols * static_cast<int64_t>(SizeOf(type));
    return {start, type, count, cols};
  }
};

// What a product does to its result.
enum class Output { kOverwrite, kAccumulate };

}  // namespace tenor

#endif  // TENOR_OPS_TENSOR_H_

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "ops/gemm.h"
#include "ops/gemm_engine.h"

namespace tenor {

// One copy of the source for each layout that some shape asked for.
struct PackedMatrix::Layouts {
  struct Copy {
    dnnl::memory memory;
    bool current = false;  // filled since the last Assign
  };
  std::vector<Copy> copies;
};

PackedMatrix::PackedMatrix() : layouts_(std::make_unique<Layouts>()) {}
PackedMatrix::~PackedMatrix() = default;
PackedMatrix::PackedMatrix(PackedMatrix&&) noexcept = default;
PackedMatrix& PackedMatrix::operator=(PackedMatrix&&) noexcept = default;

void PackedMatrix::Assign(const Operand& source) {
  const bool same_shape =
      source.rows == source_.rows && source.cols == source_.cols && source.type == source_.type;
  source_ = source;
  if (!same_shape) layouts_->copies.clear();
  for (Layouts::Copy& copy : layouts_->copies) copy.current = false;
}

namespace cpu {
namespace {

GemmEngine::Key MakeKey(const Operand& a, const Operand& b, Output output, Matrix<float> c) {
  return {.m = c.rows,
          .n = c.cols,
          .k = a.cols,
          .a_row = a.row_stride,
          .a_col = a.col_stride,
          .b_row = b.row_stride,
          .b_col = b.col_stride,
          .c_row = c.stride,
          .type = a.type,
          .output = output,
          .packed = false};
}

// oneDNN throws; this is the one place where its exceptions become a Status.
template <typename Body>
absl::Status Guard(Matrix<float> c, int64_t k, Body&& body) {
  try {
    body();
    return absl::OkStatus();
  } catch (const dnnl::error& error) {
    return absl::InternalError(absl::StrCat("Gemm [", c.rows, ", ", c.cols, "] over ", k,
                                            ": oneDNN: ", error.what(), " (status ",
                                            static_cast<int>(error.status), ")"));
  }
}

// The matrix in the layout `wanted`, made now if it is not there.
const void* Find(GemmEngine& engine, PackedMatrix& matrix, const dnnl::memory::desc& wanted) {
  const Operand& source = matrix.source();
  const dnnl::memory::desc plain({source.rows, source.cols}, wanted.data_type(),
                                 dnnl::memory::dims{source.row_stride, source.col_stride});
  if (wanted == plain) return source.data;
  auto& copies = matrix.layouts().copies;
  auto copy = copies.begin();
  while (copy != copies.end() && copy->memory.get_desc() != wanted) ++copy;
  if (copy == copies.end()) {
    copies.push_back({.memory = dnnl::memory(wanted, engine.engine())});
    copy = copies.end() - 1;
  }
  if (!copy->current) engine.Reorder(plain, source.data, copy->memory);
  copy->current = true;
  return copy->memory.get_data_handle();
}

bool Emulated(const Exec& exec, const Operand& a) {
  return a.type == DataType::kBFloat16 && exec.emulate_bf16();
}

// An FP32 copy with the same strides.
Operand Widen(Exec& exec, const Operand& x, int which) {
  const int64_t elements = (x.rows - 1) * x.row_stride + (x.cols - 1) * x.col_stride + 1;
  AlignedBuffer& buffer = exec.gemm_engine().scratch(which);
  buffer.Reserve(elements * sizeof(float));
  const auto* from = static_cast<const BFloat16*>(x.data);
  auto* to = static_cast<float*>(buffer.data());
  for (int64_t i = 0; i < elements; ++i) to[i] = ToFloat(from[i]);
  Operand wide = x;
  wide.data = to;
  wide.type = DataType::kFloat32;
  return wide;
}

}  // namespace

absl::Status Gemm(Exec& exec, const Operand& a, const Operand& b, Output output, Matrix<float> c) {
  if (Emulated(exec, a)) return cpu::Gemm(exec, Widen(exec, a, 0), Widen(exec, b, 1), output, c);
  return Guard(c, a.cols, [&] {
    GemmEngine& engine = exec.gemm_engine();
    engine.Run(engine.Find(MakeKey(a, b, output, c)), a.data, b.data, c.data);
  });
}

absl::Status Gemm(Exec& exec, const Operand& a, PackedMatrix& b, Output output, Matrix<float> c) {
  if (Emulated(exec, a)) return cpu::Gemm(exec, a, b.source(), output, c);
  return Guard(c, a.cols, [&] {
    GemmEngine& engine = exec.gemm_engine();
    GemmEngine::Key key = MakeKey(a, b.source(), output, c);
    key.b_row = key.b_col = 0;
    key.packed = true;
    GemmEngine::Product& product = engine.Find(key);
    engine.Run(product, a.data, Find(engine, b, product.b.get_desc()), c.data);
  });
}

}  // namespace cpu
}  // namespace tenor

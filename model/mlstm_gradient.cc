#include "model/mlstm_gradient.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "ops/gemm.h"
#include "ops/softmax_cross_entropy.h"
#include "ops/weight_norm.h"

namespace tenor {
namespace {

// A recurrent matrix becomes final in pieces of about 4 Mi elements, several chunks of the wire,
// but of at least 512 rows, so that its product still runs at full speed.
constexpr int64_t kPieceElements = int64_t{4} << 20;
constexpr int64_t kMinPieceRows = 512;

int64_t PieceRows(int64_t columns) {
  return std::max(kMinPieceRows, (kPieceElements + columns - 1) / columns);
}

void Clear(Matrix<float> x) { std::fill_n(x.data, x.rows * x.cols, 0.0f); }

}  // namespace

MlstmGradient::MlstmGradient(const MlstmConfig& config)
    : layout_(MlstmLayout(config)), units_(config.hidden) {
  table_m_.Reserve(static_cast<size_t>(kByteValues * units_) * sizeof(float));
  table_z_.Reserve(static_cast<size_t>(4 * kByteValues * units_) * sizeof(float));
}

std::span<float> MlstmGradient::Vector(size_t tensor) {
  const Layout::Tensor& info = layout_.tensor(tensor);
  return flat_.subspan(info.offset, info.size);
}

Matrix<float> MlstmGradient::Tensor(size_t tensor) {
  const Layout::Tensor& info = layout_.tensor(tensor);
  return {flat_.data() + info.offset, info.shape[0], info.shape[1]};
}

MlstmTableGradients MlstmGradient::tables() {
  return {.m = table_m_.Floats(kByteValues, units_), .z = table_z_.Floats(kByteValues, 4 * units_)};
}

void MlstmGradient::Report(const ByteModel::OnFinal& on_final, size_t tensor, int64_t row) {
  if (!on_final) return;
  const Layout::Tensor& info = layout_.tensor(tensor);
  const int64_t columns = info.shape.size() == 2 ? info.shape[1] : 1;
  on_final(info.offset + static_cast<size_t>(row * columns));
}

absl::Status MlstmGradient::Begin(std::span<float> flat) {
  if (flat.size() != layout_.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("gradient has ", flat.size(), " elements, the layout ", layout_.size()));
  }
  flat_ = flat;
  windows_ = 0;
  Clear(tables().m);
  Clear(tables().z);
  std::ranges::fill(Vector(kDecoderBias), 0.0f);
  return absl::OkStatus();
}

absl::Status MlstmGradient::AddDecoder(Exec& exec, const MlstmTape& tape) {
  TENOR_RETURN_IF_ERROR(AddColumnSums(exec, tape.logits(), Vector(kDecoderBias)));
  return Gemm(exec, Operand(tape.dlogits()).Transposed(), tape.all_h(), output(),
              Tensor(kDecoderWeight));
}

absl::Status MlstmGradient::AddRecurrent(Exec& exec, const MlstmTape& tape, size_t matrix,
                                         int64_t first, int64_t count) {
  const bool gates = matrix == kWhV;
  const Operand input = gates ? tape.all_m() : tape.all_h_before();
  const Operand rows = (gates ? tape.all_dz() : tape.all_dp()).Columns(first, count).Transposed();
  return Gemm(exec, rows, input, output(), Tensor(matrix).Rows(first, count));
}

absl::Status MlstmGradient::Add(Exec& exec, const MlstmTape& tape) {
  TENOR_RETURN_IF_ERROR(AddDecoder(exec, tape));
  TENOR_RETURN_IF_ERROR(AddRecurrent(exec, tape, kWhV, 0, 4 * units_));
  TENOR_RETURN_IF_ERROR(AddRecurrent(exec, tape, kWmhV, 0, units_));
  ++windows_;
  return absl::OkStatus();
}

absl::Status MlstmGradient::Denormalise(Exec& exec, const MlstmWeights& weights, size_t matrix,
                                        int64_t first, int64_t count) {
  const auto from = static_cast<size_t>(first), size = static_cast<size_t>(count);
  return Run(exec,
             WeightNormBackward{.v = weights.Parameters(matrix).Rows(first, count),
                                .g = weights.Vector(matrix - 1).subspan(from, size),
                                .inverse_norm = weights.InverseNorms(matrix).subspan(from, size),
                                .dw = Tensor(matrix).Rows(first, count),
                                .dg = Vector(matrix - 1).subspan(from, size)});
}

absl::Status MlstmGradient::FinishBias(Exec& exec) {
  std::ranges::fill(Vector(kBias), 0.0f);
  return AddColumnSums(exec, tables().z, Vector(kBias));
}

absl::Status MlstmGradient::FinishRecurrent(Exec& exec, const MlstmTape* tape,
                                            const MlstmWeights& weights, size_t matrix,
                                            const ByteModel::OnFinal& on_final) {
  const Matrix<float> whole = Tensor(matrix);
  const int64_t step = PieceRows(whole.cols);
  for (int64_t end = whole.rows; end > 0; end -= std::min(end, step)) {
    const int64_t first = std::max<int64_t>(0, end - step);
    if (tape != nullptr) {
      TENOR_RETURN_IF_ERROR(AddRecurrent(exec, *tape, matrix, first, end - first));
    }
    TENOR_RETURN_IF_ERROR(Denormalise(exec, weights, matrix, first, end - first));
    Report(on_final, matrix, first);
  }
  Report(on_final, matrix - 1);
  return absl::OkStatus();
}

absl::Status MlstmGradient::FinishInput(Exec& exec, const MlstmWeights& weights, size_t matrix) {
  const Operand table = matrix == kWxV ? tables().z : tables().m;
  TENOR_RETURN_IF_ERROR(Gemm(exec, table.Transposed(), weights.Parameters(kEmbedding),
                             Output::kOverwrite, Tensor(matrix)));
  return Denormalise(exec, weights, matrix, 0, Tensor(matrix).rows);
}

absl::Status MlstmGradient::FinishEmbedding(Exec& exec, const MlstmWeights& weights) {
  const Matrix<float> embedding = Tensor(kEmbedding);
  TENOR_RETURN_IF_ERROR(Gemm(exec, tables().z, weights.wx(), Output::kOverwrite, embedding));
  return Gemm(exec, tables().m, weights.wmx(), Output::kAccumulate, embedding);
}

absl::Status MlstmGradient::Finish(Exec& exec, const MlstmTape* tape, const MlstmWeights& weights,
                                   const ByteModel::OnFinal& on_final) {
  if (tape == nullptr && windows_ == 0) std::ranges::fill(flat_, 0.0f);
  if (tape != nullptr) TENOR_RETURN_IF_ERROR(AddDecoder(exec, *tape));
  Report(on_final, kDecoderWeight);
  TENOR_RETURN_IF_ERROR(FinishBias(exec));
  Report(on_final, kBias);
  TENOR_RETURN_IF_ERROR(FinishRecurrent(exec, tape, weights, kWhV, on_final));
  TENOR_RETURN_IF_ERROR(FinishRecurrent(exec, tape, weights, kWmhV, on_final));
  for (const size_t matrix : {kWxV, kWmxV}) {
    TENOR_RETURN_IF_ERROR(FinishInput(exec, weights, matrix));
    Report(on_final, matrix - 1);
  }
  TENOR_RETURN_IF_ERROR(FinishEmbedding(exec, weights));
  Report(on_final, kEmbedding);
  flat_ = {};
  return absl::OkStatus();
}

}  // namespace tenor

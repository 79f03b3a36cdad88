#include "model/mlstm_weights.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "ops/convert.h"
#include "ops/weight_norm.h"

namespace tenor {

MlstmWeights::MlstmWeights(const MlstmConfig& config, DataType type)
    : layout_(MlstmLayout(config)),
      type_(type),
      units_(config.hidden),
      inputs_(config.embedding),
      inverse_norms_(layout_.tensors().size()) {
  for (const size_t tensor : {kWmxV, kWxV, kWmhV, kWhV}) {
    inverse_norms_[tensor].resize(static_cast<size_t>(layout_.tensor(tensor).shape[0]));
  }
  const auto bytes = [](int64_t rows, int64_t cols, size_t size) {
    return static_cast<size_t>(rows * cols) * size;
  };
  wmx_.Reserve(bytes(units_, inputs_, sizeof(float)));
  wx_.Reserve(bytes(4 * units_, inputs_, sizeof(float)));
  wmh_.Reserve(bytes(units_, units_, SizeOf(type)));
  wh_.Reserve(bytes(4 * units_, units_, SizeOf(type)));
  if (type != DataType::kFloat32) decoder_.Reserve(bytes(kByteValues, units_, SizeOf(type)));
  table_m_.Reserve(bytes(kByteValues, units_, sizeof(float)));
  table_z_.Reserve(bytes(kByteValues, 4 * units_, sizeof(float)));
}

std::span<const float> MlstmWeights::Vector(size_t tensor) const {
  const Layout::Tensor& info = layout_.tensor(tensor);
  return flat_.subspan(info.offset, info.size);
}

Matrix<const float> MlstmWeights::Parameters(size_t tensor) const {
  const Layout::Tensor& info = layout_.tensor(tensor);
  return {flat_.data() + info.offset, info.shape[0], info.shape[1]};
}

absl::Status MlstmWeights::Set(Exec& exec, std::span<const float> flat) {
  if (flat.size() != layout_.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("weights have ", flat.size(), " elements, the layout ", layout_.size()));
  }
  flat_ = flat;
  TENOR_RETURN_IF_ERROR(MakeRecurrent(exec));
  TENOR_RETURN_IF_ERROR(MakeTables(exec));
  return MakeDecoder(exec);
}

absl::Status MlstmWeights::Normalise(Exec& exec, size_t tensor, const MutableOperand& out) {
  return Run(exec, WeightNorm{.v = Parameters(tensor),
                              .g = Vector(tensor - 1),
                              .w = out,
                              .inverse_norm = inverse_norms_[tensor]});
}

absl::Status MlstmWeights::MakeRecurrent(Exec& exec) {
  const MutableOperand wmh = wmh_.Elements(type_, units_, units_);
  const MutableOperand wh = wh_.Elements(type_, 4 * units_, units_);
  TENOR_RETURN_IF_ERROR(Normalise(exec, kWmhV, wmh));
  TENOR_RETURN_IF_ERROR(Normalise(exec, kWhV, wh));
  wmh_forward_.Assign(Operand(wmh).Transposed());
  wmh_backward_.Assign(wmh);
  wh_forward_.Assign(Operand(wh).Transposed());
  wh_backward_.Assign(wh);
  return absl::OkStatus();
}

absl::Status MlstmWeights::MakeTables(Exec& exec) {
  TENOR_RETURN_IF_ERROR(Normalise(exec, kWmxV, wmx_.Elements(DataType::kFloat32, units_, inputs_)));
  TENOR_RETURN_IF_ERROR(
      Normalise(exec, kWxV, wx_.Elements(DataType::kFloat32, 4 * units_, inputs_)));
  const Operand embedding = Parameters(kEmbedding);
  TENOR_RETURN_IF_ERROR(Gemm(exec, embedding, Operand(wmx()).Transposed(), Output::kOverwrite,
                             table_m_.Floats(kByteValues, units_)));
  const Matrix<float> table_z = table_z_.Floats(kByteValues, 4 * units_);
  const std::span<const float> bias = Vector(kBias);
  for (int64_t byte = 0; byte < kByteValues; ++byte) {
    std::copy(bias.begin(), bias.end(), table_z.Row(byte));
  }
  return Gemm(exec, embedding, Operand(wx()).Transposed(), Output::kAccumulate, table_z);
}

absl::Status MlstmWeights::MakeDecoder(Exec& exec) {
  Operand decoder = Parameters(kDecoderWeight);
  if (type_ != DataType::kFloat32) {
    const MutableOperand rounded = decoder_.Elements(type_, kByteValues, units_);
    TENOR_RETURN_IF_ERROR(Convert(exec, Parameters(kDecoderWeight), rounded));
    decoder = rounded;
  }
  decoder_forward_.Assign(decoder.Transposed());
  decoder_backward_.Assign(decoder);
  return absl::OkStatus();
}

}  // namespace tenor

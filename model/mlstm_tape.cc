#include "model/mlstm_tape.h"

#include "model/mlstm_config.h"

namespace tenor {
namespace {

// Bytes of each buffer of a tape.
struct Sizes {
  size_t h, c, p, m, gates, dh, dp, dz, dm, dc, logits, dlogits, losses;

  size_t Total() const {
    return h + c + p + m + gates + dh + dp + dz + dm + dc + logits + dlogits + losses;
  }
};

Sizes SizesOf(int64_t units, DataType type, MlstmTape::Use use, int64_t lanes, int64_t steps) {
  const bool backward = use == MlstmTape::Use::kForwardBackward;
  const auto rows = static_cast<size_t>(lanes * steps);
  const auto step_units = static_cast<size_t>(lanes * units);
  const size_t kept = backward ? rows * static_cast<size_t>(units) : step_units;
  const size_t gradient = backward ? kept : 0;
  const size_t own = type == DataType::kFloat32 ? 0 : gradient;
  const size_t logits = rows * static_cast<size_t>(kByteValues);
  const size_t element = SizeOf(type);
  return {.h = (rows * static_cast<size_t>(units) + step_units) * element,
          .c = (kept + (backward ? step_units : 0)) * sizeof(float),
          .p = kept * sizeof(float),
          .m = kept * element,
          .gates = 4 * kept * sizeof(float),
          .dh = gradient * sizeof(float),
          .dp = own * element,
          .dz = 4 * own * element,
          .dm = (backward ? step_units : 0) * sizeof(float),
          .dc = (backward ? step_units : 0) * sizeof(float),
          .logits = logits * sizeof(float),
          .dlogits = (own != 0 ? logits : 0) * element,
          .losses = rows * sizeof(double)};
}

}  // namespace

void MlstmTape::Plan(int64_t lanes, int64_t steps) {
  lanes_ = lanes;
  steps_ = steps;
  const Sizes sizes = SizesOf(units_, type_, use_, lanes, steps);
  h_.Reserve(sizes.h);
  c_.Reserve(sizes.c);
  p_.Reserve(sizes.p);
  m_.Reserve(sizes.m);
  gates_.Reserve(sizes.gates);
  dh_.Reserve(sizes.dh);
  dp_.Reserve(sizes.dp);
  dz_.Reserve(sizes.dz);
  dm_.Reserve(sizes.dm);
  dc_.Reserve(sizes.dc);
  logits_.Reserve(sizes.logits);
  dlogits_.Reserve(sizes.dlogits);
  losses_.Reserve(sizes.losses);
}

size_t MlstmTape::Bytes(int64_t units, DataType type, Use use, int64_t lanes, int64_t steps) {
  return SizesOf(units, type, use, lanes, steps).Total();
}

MutableOperand MlstmTape::h(int64_t step) const {
  return h_.Elements(type_, lanes_ * (steps_ + 1), units_).Rows((step + 1) * lanes_, lanes_);
}

Matrix<float> MlstmTape::c(int64_t step) const {
  return c_.Floats(0, units_).Rows(RowOf(step + 1), lanes_);
}

Matrix<float> MlstmTape::p(int64_t step) const {
  return p_.Floats(0, units_).Rows(RowOf(step), lanes_);
}

MutableOperand MlstmTape::m(int64_t step) const {
  return m_.Elements(type_, 0, units_).Rows(RowOf(step), lanes_);
}

Matrix<float> MlstmTape::gates(int64_t step) const {
  return gates_.Floats(0, 4 * units_).Rows(RowOf(step), lanes_);
}

Matrix<float> MlstmTape::dh(int64_t step) const { return all_dh().Rows(step * lanes_, lanes_); }

MutableOperand MlstmTape::dp(int64_t step) const {
  const AlignedBuffer& buffer = type_ == DataType::kFloat32 ? p_ : dp_;
  return buffer.Elements(type_, 0, units_).Rows(step * lanes_, lanes_);
}

MutableOperand MlstmTape::dz(int64_t step) const {
  const AlignedBuffer& buffer = type_ == DataType::kFloat32 ? gates_ : dz_;
  return buffer.Elements(type_, 0, 4 * units_).Rows(step * lanes_, lanes_);
}

Matrix<float> MlstmTape::dm() const { return dm_.Floats(lanes_, units_); }

Matrix<float> MlstmTape::dc() const { return dc_.Floats(lanes_, units_); }

Matrix<float> MlstmTape::all_dh() const { return dh_.Floats(rows(), units_); }

Matrix<float> MlstmTape::logits() const { return logits_.Floats(rows(), kByteValues); }

MutableOperand MlstmTape::dlogits() const {
  const AlignedBuffer& buffer = type_ == DataType::kFloat32 ? logits_ : dlogits_;
  return buffer.Elements(type_, rows(), kByteValues);
}

std::span<double> MlstmTape::losses() const {
  return {static_cast<double*>(losses_.data()), static_cast<size_t>(rows())};
}

}  // namespace tenor

#include "model/mlstm.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "ops/convert.h"
#include "ops/softmax_cross_entropy.h"

namespace tenor {
namespace {

MlstmInput InputAt(const ByteWindow& window, int step) {
  const auto lanes = static_cast<size_t>(window.lanes);
  return {.bytes = window.inputs.subspan(static_cast<size_t>(step) * lanes, lanes),
          .lengths = window.lengths,
          .step = step};
}

int StepsOf(const ByteWindow& window) {
  return *std::max_element(window.lengths.begin(), window.lengths.end());
}

int64_t TargetsOf(const ByteWindow& window) {
  return std::accumulate(window.lengths.begin(), window.lengths.end(), int64_t{0});
}

bool IsFinite(Matrix<const float> x) {
  return std::all_of(x.data, x.data + x.rows * x.cols, [](float v) { return std::isfinite(v); });
}

absl::Status CheckShape(const ByteWindow& window) {
  if (window.lanes < 1 || window.window < 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("window of ", window.lanes, " lanes and ", window.window, " steps is empty"));
  }
  const auto lanes = static_cast<size_t>(window.lanes);
  const size_t bytes = lanes * static_cast<size_t>(window.window);
  if (window.inputs.size() != bytes || window.lengths.size() != lanes ||
      (!window.targets.empty() && window.targets.size() != bytes)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "window of ", lanes, " lanes and ", window.window, " steps has ", window.inputs.size(),
        " inputs, ", window.targets.size(), " targets, ", window.lengths.size(), " lengths"));
  }
  for (const int length : window.lengths) {
    if (length < 0 || length > window.window) {
      return absl::InvalidArgumentError(
          absl::StrCat("lane length ", length, " is not between 0 and ", window.window));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::unique_ptr<Mlstm>> Mlstm::Create(const MlstmConfig& config, DataType type,
                                                     Exec* exec) {
  TENOR_RETURN_IF_ERROR(Validate(config));
  TENOR_RETURN_IF_ERROR(exec->CheckSupports(type));
  return std::unique_ptr<Mlstm>(new Mlstm(config, type, exec));
}

Mlstm::Mlstm(const MlstmConfig& config, DataType type, Exec* exec)
    : config_(config),
      exec_(*exec),
      weights_(config, type),
      tape_(config.hidden, type, MlstmTape::Use::kForwardBackward),
      forward_tape_(config.hidden, type, MlstmTape::Use::kForward),
      gradient_(config) {}

size_t Mlstm::MemoryBytes(const MlstmConfig& config, DataType type, int lanes, int window) {
  const auto units = static_cast<size_t>(config.hidden);
  const auto inputs = static_cast<size_t>(config.embedding);
  const size_t recurrent = (5 * units + kByteValues) * units * SizeOf(type);
  const size_t tables = 5 * kByteValues * units * sizeof(float);
  return 3 * recurrent + 2 * tables + 5 * units * inputs * sizeof(float) +
         MlstmTape::Bytes(config.hidden, type, MlstmTape::Use::kForwardBackward, lanes, window);
}

absl::Status Mlstm::SetWeights(std::span<const float> flat) {
  pending_ = false;
  gradient_.Abandon();
  return weights_.Set(exec_, flat);
}

absl::Status Mlstm::CheckWeights() const {
  return weights_.is_set() ? absl::OkStatus() : absl::FailedPreconditionError("no weights are set");
}

absl::Status Mlstm::CheckWindow(const ByteWindow& window, const LanesState& state) const {
  TENOR_RETURN_IF_ERROR(CheckWeights());
  TENOR_RETURN_IF_ERROR(CheckShape(window));
  if (state.lanes() == window.lanes && state.hidden() == config_.hidden) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("state of ", state.lanes(), " lanes, ", state.hidden(),
                   " units for a window of ", window.lanes, " lanes, ", config_.hidden, " units"));
}

absl::Status Mlstm::BeginStep(std::span<float> gradient) {
  TENOR_RETURN_IF_ERROR(CheckWeights());
  pending_ = false;
  return gradient_.Begin(gradient);
}

absl::Status Mlstm::Flush() {
  if (!pending_) return absl::OkStatus();
  pending_ = false;
  return gradient_.Add(exec_, tape_);
}

absl::StatusOr<WindowResult> Mlstm::ForwardBackward(const ByteWindow& window, LanesState* state) {
  if (!gradient_.is_open()) return absl::FailedPreconditionError("ForwardBackward outside a step");
  TENOR_RETURN_IF_ERROR(CheckWindow(window, *state));
  if (window.targets.empty()) return absl::InvalidArgumentError("window has no targets");
  if (StepsOf(window) == 0) return WindowResult{};
  TENOR_RETURN_IF_ERROR(Flush());
  TENOR_RETURN_IF_ERROR(RunForward(window, *state, tape_));
  TENOR_RETURN_IF_ERROR(RunDecoder(tape_));
  WindowResult result{.targets = TargetsOf(window)};
  TENOR_ASSIGN_OR_RETURN(result.loss_sum, RunLoss(window, tape_));
  TENOR_RETURN_IF_ERROR(RunBackward(window, tape_));
  TENOR_RETURN_IF_ERROR(SaveState(tape_, state));
  pending_ = true;
  // What is not finite at any step reaches the first, since each gradient is a factor of the next.
  result.finite = std::isfinite(result.loss_sum) && IsFinite(tape_.dm());
  return result;
}

absl::Status Mlstm::FinishStep(const OnFinal& on_final) {
  if (!gradient_.is_open()) return absl::FailedPreconditionError("FinishStep outside a step");
  const MlstmTape* tape = pending_ ? &tape_ : nullptr;
  pending_ = false;
  return gradient_.Finish(exec_, tape, weights_, on_final);
}

absl::StatusOr<WindowResult> Mlstm::Forward(const ByteWindow& window, LanesState* state) {
  TENOR_RETURN_IF_ERROR(CheckWindow(window, *state));
  if (StepsOf(window) == 0) return WindowResult{};
  TENOR_RETURN_IF_ERROR(RunForward(window, *state, forward_tape_));
  WindowResult result;
  if (!window.targets.empty()) {
    result.targets = TargetsOf(window);
    TENOR_RETURN_IF_ERROR(RunDecoder(forward_tape_));
    TENOR_ASSIGN_OR_RETURN(result.loss_sum, RunLoss(window, forward_tape_));
    result.finite = std::isfinite(result.loss_sum);
  }
  TENOR_RETURN_IF_ERROR(SaveState(forward_tape_, state));
  return result;
}

absl::Status Mlstm::Logits(std::span<const uint8_t> bytes, LanesState* state,
                           std::span<float> logits) {
  const std::vector<int> lengths(bytes.size(), 1);
  const ByteWindow window{
      .lanes = static_cast<int>(bytes.size()), .window = 1, .inputs = bytes, .lengths = lengths};
  TENOR_RETURN_IF_ERROR(CheckWindow(window, *state));
  if (logits.size() != bytes.size() * kByteValues) {
    return absl::InvalidArgumentError(
        absl::StrCat(logits.size(), " logits for ", bytes.size(), " lanes of 256"));
  }
  TENOR_RETURN_IF_ERROR(RunForward(window, *state, forward_tape_));
  TENOR_RETURN_IF_ERROR(RunDecoder(forward_tape_));
  const std::span<const float> bias = weights_.Vector(kDecoderBias);
  const float* raw = forward_tape_.logits().data;
  for (size_t i = 0; i < logits.size(); ++i) logits[i] = raw[i] + bias[i % kByteValues];
  return SaveState(forward_tape_, state);
}

absl::Status Mlstm::RunForward(const ByteWindow& window, const LanesState& state, MlstmTape& tape) {
  tape.Plan(window.lanes, StepsOf(window));
  TENOR_RETURN_IF_ERROR(Convert(exec_, state.h(), tape.h(-1)));
  const Matrix<const float> c = state.c();
  std::copy_n(c.data, c.rows * c.cols, tape.c(-1).data);
  for (int t = 0; t < tape.steps(); ++t) {
    TENOR_RETURN_IF_ERROR(StepForward(exec_, weights_, InputAt(window, t), tape));
  }
  return absl::OkStatus();
}

absl::Status Mlstm::RunDecoder(MlstmTape& tape) {
  return Gemm(exec_, tape.all_h(), weights_.decoder_forward(), Output::kOverwrite, tape.logits());
}

absl::StatusOr<double> Mlstm::RunLoss(const ByteWindow& window, const MlstmTape& tape) {
  const auto rows = static_cast<size_t>(tape.rows());
  const bool rounded = &tape == &tape_ && weights_.type() != DataType::kFloat32;
  TENOR_RETURN_IF_ERROR(
      Run(exec_, SoftmaxCrossEntropy{.logits = tape.logits(),
                                     .bias = weights_.Vector(kDecoderBias),
                                     .targets = window.targets.first(rows),
                                     .lengths = window.lengths,
                                     .copy = rounded ? tape.dlogits() : MutableOperand{},
                                     .losses = tape.losses()}));
  const std::span<const double> losses = tape.losses();
  return std::accumulate(losses.begin(), losses.end(), 0.0);
}

absl::Status Mlstm::RunBackward(const ByteWindow& window, const MlstmTape& tape) {
  TENOR_RETURN_IF_ERROR(
      Gemm(exec_, tape.dlogits(), weights_.decoder_backward(), Output::kOverwrite, tape.all_dh()));
  const Matrix<float> dc = tape.dc();
  std::fill_n(dc.data, dc.rows * dc.cols, 0.0f);
  for (int t = static_cast<int>(tape.steps()) - 1; t >= 0; --t) {
    TENOR_RETURN_IF_ERROR(
        StepBackward(exec_, weights_, InputAt(window, t), tape, gradient_.tables()));
  }
  return absl::OkStatus();
}

absl::Status Mlstm::SaveState(const MlstmTape& tape, LanesState* state) {
  const int64_t last = tape.steps() - 1;
  TENOR_RETURN_IF_ERROR(Convert(exec_, tape.h(last), state->h()));
  const Matrix<float> c = tape.c(last);
  std::copy_n(c.data, c.rows * c.cols, state->c().data);
  return absl::OkStatus();
}

}  // namespace tenor

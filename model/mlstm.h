// The byte-level multiplicative LSTM.
#ifndef TENOR_MODEL_MLSTM_H_
#define TENOR_MODEL_MLSTM_H_

#include <memory>
#include <span>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "model/mlstm_config.h"
#include "model/mlstm_gradient.h"
#include "model/mlstm_tape.h"
#include "model/mlstm_weights.h"
#include "model/model.h"
#include "ops/exec.h"

namespace tenor {

// With x the embedding of a byte and (h, c) the state before it:
//   m = (Wmx x) * (Wmh h)                    z = Wx x + Wh m + b, rows as i, f, o, u
//   c' = sigmoid(f) c + sigmoid(i) tanh(u)   h' = sigmoid(o) tanh(c')   logits = Wout h' + bout
// The four recurrent matrices are weight-normalised; MlstmLayout names the parameters.
// Sources: Krause, Lu, Murray, Renals (2016), section 3; Radford, Jozefowicz, Sutskever (2017);
// Puri, Kirby, Yakovenko, Catanzaro (2018).
//
// In BF16 the operands of the recurrent and decoder products (w, h, m and their gradients) are
// rounded to BF16; products are summed in FP32 and everything else is FP32, the carried state's c
// too.
//
// A step allocates nothing once it has seen its sizes.
class Mlstm : public ByteModel {
 public:
  // `exec` outlives the model. InvalidArgument: sizes out of range. FailedPrecondition: the
  // processor lacks `type`.
  static absl::StatusOr<std::unique_ptr<Mlstm>> Create(const MlstmConfig& config, DataType type,
                                                       Exec* exec);

  // What a model in training holds besides the flat weights and gradient: weights in the compute
  // type (once for each direction), tables and the activations of one window.
  static size_t MemoryBytes(const MlstmConfig& config, DataType type, int lanes, int window);

  const Layout& layout() const override { return weights_.layout(); }
  LanesState NewState(int lanes) const override { return {lanes, config_.hidden}; }
  absl::Status SetWeights(std::span<const float> flat) override;
  absl::Status BeginStep(std::span<float> gradient) override;
  absl::StatusOr<WindowResult> ForwardBackward(const ByteWindow& window,
                                               LanesState* state) override;
  absl::Status FinishStep(const OnFinal& on_final) override;
  absl::StatusOr<WindowResult> Forward(const ByteWindow& window, LanesState* state) override;
  absl::Status Logits(std::span<const uint8_t> bytes, LanesState* state,
                      std::span<float> logits) override;

 private:
  Mlstm(const MlstmConfig& config, DataType type, Exec* exec);

  absl::Status CheckWeights() const;
  absl::Status CheckWindow(const ByteWindow& window, const LanesState& state) const;
  absl::Status Flush();
  // Plans `tape` for the window, from the state to the last step that any lane needs.
  absl::Status RunForward(const ByteWindow& window, const LanesState& state, MlstmTape& tape);
  absl::Status RunDecoder(MlstmTape& tape);
  // Logits become their gradient. Returns the loss.
  absl::StatusOr<double> RunLoss(const ByteWindow& window, const MlstmTape& tape);
  absl::Status RunBackward(const ByteWindow& window, const MlstmTape& tape);
  absl::Status SaveState(const MlstmTape& tape, LanesState* state);

  const MlstmConfig config_;
  Exec& exec_;
  MlstmWeights weights_;
  MlstmTape tape_;
  MlstmTape forward_tape_;
  MlstmGradient gradient_;
  bool pending_ = false;  // tape_ holds a window whose products are not yet in the gradient
};

}  // namespace tenor

#endif  // TENOR_MODEL_MLSTM_H_

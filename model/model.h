// A model of bytes as a trainer sees it.
#ifndef TENOR_MODEL_MODEL_H_
#define TENOR_MODEL_MODEL_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "model/lanes_state.h"
#include "model/layout.h"

namespace tenor {

// The same stretch of time of several lanes, time-major: the byte of lane b at step t is at
// t * lanes + b. Views; the caller owns the memory for the time of the call.
struct ByteWindow {
  int lanes = 0;                     // B >= 1
  int window = 0;                    // T >= 1
  std::span<const uint8_t> inputs;   // [T, B]
  std::span<const uint8_t> targets;  // [T, B], the byte after each input
  // [B], true targets of each lane, 0 to T. Positions from there on give no loss and no gradient
  // and leave the lane's state as it is; their bytes do not matter.
  std::span<const int> lengths;
};

struct WindowResult {
  double loss_sum = 0;  // nats, summed over the true targets
  int64_t targets = 0;  // true targets
  bool finite = true;   // loss, and the gradient as it reached the window's start, have no Inf, NaN
};

// One step of training:
//
//   SetWeights(weights of version v);
//   BeginStep(gradient);
//   for each micro-batch: ForwardBackward(window, &state);
//   FinishStep(on_final);
//
// Between SetWeights and the end of the last call that needs them, the weights stay where they are,
// unchanged; so does the gradient between BeginStep and FinishStep.
//
// A window's own products for the gradient may be put off until the next ForwardBackward or until
// FinishStep, which then computes it piece by piece from the end of the vector: a piece can be on
// its way while the next is computed. Only after FinishStep is the gradient what it says.
//
// The gradient is d(sum of losses in nats) / d(parameter), summed over the step's windows; the
// state at a window's start counts as a constant. The same calls give the same bits.
//
// Single-threaded. After an error inside a step, BeginStep starts afresh.
// Errors of all calls: InvalidArgument for sizes that do not fit, FailedPrecondition for calls out
// of order, Internal if the GEMM engine fails.
class ByteModel {
 public:
  // gradient[offset, end of the vector) is final. Called with decreasing offsets, the last is 0.
  using OnFinal = std::function<void(size_t offset)>;

  virtual ~ByteModel() = default;

  virtual const Layout& layout() const = 0;
  // `lanes` lanes at zero. REQUIRES: lanes >= 0.
  virtual LanesState NewState(int lanes) const = 0;

  // Once per version: makes from the parameters what the passes compute with. A step that is under
  // way is abandoned.
  virtual absl::Status SetWeights(std::span<const float> flat) = 0;

  // Starts a step; `gradient`, of layout().size() elements, is overwritten. on_final may be empty.
  virtual absl::Status BeginStep(std::span<float> gradient) = 0;
  // *state: in, before the window; out, after it. Not changed on error.
  virtual absl::StatusOr<WindowResult> ForwardBackward(const ByteWindow& window,
                                                       LanesState* state) = 0;
  virtual absl::Status FinishStep(const OnFinal& on_final) = 0;

  // The forward pass alone (evaluation). Where window.targets is empty only the state moves
  // (warm-up) and the loss is 0. Allowed anywhere after SetWeights, inside a step too.
  virtual absl::StatusOr<WindowResult> Forward(const ByteWindow& window, LanesState* state) = 0;

  // One byte a lane: moves the state and writes what the model expects next, logits [B, 256].
  virtual absl::Status Logits(std::span<const uint8_t> bytes, LanesState* state,
                              std::span<float> logits) = 0;
};

}  // namespace tenor

#endif  // TENOR_MODEL_MODEL_H_

// Bits per character of a model on a text.
#ifndef TENOR_MODEL_EVALUATE_H_
#define TENOR_MODEL_EVALUATE_H_

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "model/lanes_state.h"
#include "model/model.h"

namespace tenor {

// Takes a text as one stream, piece by piece: the state is zero at its start and carried to its
// end; every byte but the first is predicted and counted. Cutting the stream into pieces elsewhere
// changes rounding at most. Single-threaded; uses `model` only inside its calls.
class StreamEvaluator {
 public:
  // `model` has its weights and outlives the evaluator.
  explicit StreamEvaluator(ByteModel* model);

  // The next bytes of the stream. Errors: those of ByteModel::Forward.
  absl::Status Add(std::span<const uint8_t> text);

  // Bytes predicted so far: all but the first.
  int64_t counted() const { return counted_; }
  // Mean of -log2 p(byte) over the counted bytes. FailedPrecondition: nothing was counted.
  absl::StatusOr<double> BitsPerCharacter() const;

 private:
  // The last byte of `stretch` is only a target, the first only an input.
  absl::Status AddWindow(std::span<const uint8_t> stretch);

  ByteModel& model_;
  LanesState state_;
  std::optional<uint8_t> last_;  // the byte before the next one
  std::vector<uint8_t> stretch_;
  double nats_ = 0;
  int64_t counted_ = 0;
};

}  // namespace tenor

#endif  // TENOR_MODEL_EVALUATE_H_

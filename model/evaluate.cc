#include "model/evaluate.h"

#include <algorithm>
#include <numbers>

#include "base/status.h"

namespace tenor {
namespace {

// Steps of one call: long enough to stack the decoder's products, short enough to stay in cache.
constexpr size_t kWindow = 256;

}  // namespace

StreamEvaluator::StreamEvaluator(ByteModel* model) : model_(*model), state_(model->NewState(1)) {}

absl::Status StreamEvaluator::Add(std::span<const uint8_t> text) {
  while (!text.empty()) {
    stretch_.clear();
    if (last_.has_value()) stretch_.push_back(*last_);
    const std::span<const uint8_t> next = text.first(std::min(text.size(), kWindow));
    stretch_.insert(stretch_.end(), next.begin(), next.end());
    if (stretch_.size() > 1) TENOR_RETURN_IF_ERROR(AddWindow(stretch_));
    last_ = stretch_.back();
    text = text.subspan(next.size());
  }
  return absl::OkStatus();
}

absl::Status StreamEvaluator::AddWindow(std::span<const uint8_t> stretch) {
  const int steps = static_cast<int>(stretch.size()) - 1;
  const ByteWindow window{.lanes = 1,
                          .window = steps,
                          .inputs = stretch.first(stretch.size() - 1),
                          .targets = stretch.subspan(1),
                          .lengths = {&steps, 1}};
  TENOR_ASSIGN_OR_RETURN(const WindowResult result, model_.Forward(window, &state_));
  nats_ += result.loss_sum;
  counted_ += result.targets;
  return absl::OkStatus();
}

absl::StatusOr<double> StreamEvaluator::BitsPerCharacter() const {
  if (counted_ == 0) {
    return absl::FailedPreconditionError(
        "bits per character of a text of less than 2 bytes is not defined");
  }
  return nats_ / std::numbers::ln2 / static_cast<double>(counted_);
}

}  // namespace tenor

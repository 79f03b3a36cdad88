#include "model/sample.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "base/random.h"
#include "base/status.h"
#include "model/lanes_state.h"

namespace tenor {
namespace {

constexpr int64_t kMaxBytes = int64_t{1} << 30;
// Separates these draws from other uses of the same seed.
constexpr uint64_t kStream = 0x73616d706c65;  // "sample"

using Logits = std::array<float, 256>;

absl::Status Check(const SampleOptions& options) {
  if (options.prompt.empty()) return absl::InvalidArgumentError("the prompt is empty");
  if (options.bytes < 0 || options.bytes > kMaxBytes) {
    return absl::InvalidArgumentError(
        absl::StrCat("bytes to sample ", options.bytes, " is not between 0 and ", kMaxBytes));
  }
  if (!(options.temperature >= 0) || !std::isfinite(options.temperature)) {
    return absl::InvalidArgumentError(
        absl::StrCat("temperature ", options.temperature, " is not 0 or a positive number"));
  }
  return absl::OkStatus();
}

// The byte at which the running sum of probabilities passes `uniform`, from [0, 1).
uint8_t Draw(const Logits& logits, double temperature, double uniform) {
  const auto likeliest = std::ranges::max_element(logits);
  const auto best = static_cast<uint8_t>(likeliest - logits.begin());
  if (temperature == 0) return best;
  std::array<double, 256> weights;
  double sum = 0;
  for (size_t i = 0; i < weights.size(); ++i) {
    weights[i] = std::exp((static_cast<double>(logits[i]) - *likeliest) / temperature);
    sum += weights[i];
  }
  double left = uniform * sum;
  for (size_t i = 0; i < weights.size(); ++i) {
    left -= weights[i];
    if (left < 0) return static_cast<uint8_t>(i);
  }
  return best;  // Rounding used up the sum.
}

}  // namespace

absl::StatusOr<std::string> Sample(ByteModel& model, const SampleOptions& options) {
  TENOR_RETURN_IF_ERROR(Check(options));
  LanesState state = model.NewState(1);
  Logits logits;
  for (const char c : options.prompt) {
    const auto byte = static_cast<uint8_t>(c);
    TENOR_RETURN_IF_ERROR(model.Logits({&byte, 1}, &state, logits));
  }
  std::string text;
  for (int64_t i = 0; i < options.bytes; ++i) {
    const double uniform =
        UniformDouble(RandomBits(options.seed, kStream, static_cast<uint64_t>(i)));
    const uint8_t byte = Draw(logits, options.temperature, uniform);
    text.push_back(static_cast<char>(byte));
    TENOR_RETURN_IF_ERROR(model.Logits({&byte, 1}, &state, logits));
  }
  return text;
}

}  // namespace tenor

// Text written by a model.
#ifndef TENOR_MODEL_SAMPLE_H_
#define TENOR_MODEL_SAMPLE_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "model/model.h"

namespace tenor {

struct SampleOptions {
  std::string prompt;      // at least one byte; read from a zero state
  int64_t bytes = 0;       // how many to write after the prompt; 0 to 2^30
  double temperature = 1;  // logits are divided by it; 0 takes the likeliest byte each time
  uint64_t seed = 0;
};

// The bytes after the prompt: a function of model, options and nothing else.
// InvalidArgument: an option out of its range. Else the errors of ByteModel::Logits.
absl::StatusOr<std::string> Sample(ByteModel& model, const SampleOptions& options);

}  // namespace tenor

#endif  // TENOR_MODEL_SAMPLE_H_

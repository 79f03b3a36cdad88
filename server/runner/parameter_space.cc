#include "server/runner/parameter_space.h"

#include <cstdint>
#include <limits>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "model/mlstm_config.h"
#include "model/mlstm_init.h"

namespace tenor {

absl::StatusOr<ParameterSpace> MakeParameterSpace(const spec::JobSpec& job) {
  if (!job.model().has_mlstm()) {
    return absl::InvalidArgumentError("model names no kind that this server knows");
  }
  const MlstmConfig config{job.model().mlstm().hidden(), job.model().mlstm().embedding()};
  TENOR_RETURN_IF_ERROR(Validate(config));
  Layout layout = MlstmLayout(config);
  const ChunkTable chunks(layout.size(), static_cast<size_t>(job.chunk_elements()));
  if (chunks.count() > static_cast<size_t>(std::numeric_limits<int32_t>::max())) {
    return absl::InvalidArgumentError(absl::StrCat("chunk_elements is ", job.chunk_elements(),
                                                   ": that makes ", chunks.count(),
                                                   " chunks, more than there are numbers for"));
  }
  const auto seed = static_cast<uint64_t>(job.seed());
  auto initial = [config, seed](size_t begin, std::span<float> out) {
    InitialWeights(config, seed, begin, out);
  };
  return ParameterSpace{std::move(layout), chunks, std::move(initial)};
}

}  // namespace tenor

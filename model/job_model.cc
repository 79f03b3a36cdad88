#include "model/job_model.h"

#include <cstdint>
#include <limits>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "model/mlstm.h"
#include "model/mlstm_init.h"

namespace tenor {
namespace {

DataType TypeOf(const spec::JobSpec& job) {
  return job.compute() == spec::Compute::BF16 ? DataType::kBFloat16 : DataType::kFloat32;
}

}  // namespace

absl::StatusOr<JobModel> JobModel::Create(const spec::JobSpec& job) {
  if (!job.model().has_mlstm()) {
    return absl::InvalidArgumentError("model names no kind that this program knows");
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
  return JobModel(job, config, std::move(layout), chunks);
}

JobModel::JobModel(const spec::JobSpec& job, const MlstmConfig& config, Layout layout,
                   ChunkTable chunks)
    : config_(config),
      type_(TypeOf(job)),
      seed_(static_cast<uint64_t>(job.seed())),
      layout_(std::move(layout)),
      chunks_(chunks) {}

void JobModel::Initial(size_t begin, std::span<float> out) const {
  InitialWeights(config_, seed_, begin, out);
}

std::vector<float> JobModel::Initial() const {
  std::vector<float> weights(layout_.size());
  Initial(0, weights);
  return weights;
}

absl::StatusOr<std::unique_ptr<ByteModel>> JobModel::NewModel(DataType type, Exec* exec) const {
  TENOR_ASSIGN_OR_RETURN(std::unique_ptr<ByteModel> model, Mlstm::Create(config_, type, exec));
  return model;
}

size_t JobModel::TrainingBytes(int lanes, int window) const {
  return Mlstm::MemoryBytes(config_, type_, lanes, window);
}

}  // namespace tenor

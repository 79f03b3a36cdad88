#ifndef TENOR_MODEL_JOB_MODEL_H_
#define TENOR_MODEL_JOB_MODEL_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "model/chunk_table.h"
#include "model/layout.h"
#include "model/mlstm_config.h"
#include "model/model.h"
#include "ops/data_type.h"
#include "ops/exec.h"
#include "proto/spec.pb.h"

namespace tenor {

// What a JobSpec says of its model: where parameters lie, how they are cut, what version 0 is and
// what computes it. A value; thread-compatible.
class JobModel {
 public:
  // InvalidArgument: no model of a known kind, a size out of range, more than 2^31 - 1 chunks.
  static absl::StatusOr<JobModel> Create(const spec::JobSpec& job);

  const Layout& layout() const { return layout_; }
  const ChunkTable& chunks() const { return chunks_; }
  // The job's compute type.
  DataType type() const { return type_; }

  // Writes elements [begin, begin + out.size()) of version 0, a function of the job alone.
  // REQUIRES: the range lies within the vector. Thread-safe.
  void Initial(size_t begin, std::span<float> out) const;
  // All of it.
  std::vector<float> Initial() const;

  // A model that computes in `type`; `exec` outlives it. Errors: those of Mlstm::Create.
  absl::StatusOr<std::unique_ptr<ByteModel>> NewModel(DataType type, Exec* exec) const;

  // What NewModel's holds while it trains on windows of [window, lanes], besides the flat weights
  // and gradient.
  size_t TrainingBytes(int lanes, int window) const;

 private:
  JobModel(const spec::JobSpec& job, const MlstmConfig& config, Layout layout, ChunkTable chunks);

  MlstmConfig config_;
  DataType type_;
  uint64_t seed_;
  Layout layout_;
  ChunkTable chunks_;
};

}  // namespace tenor

#endif  // TENOR_MODEL_JOB_MODEL_H_

#ifndef TENOR_CLI_COMMANDS_LOADED_MODEL_H_
#define TENOR_CLI_COMMANDS_LOADED_MODEL_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "cli/command_context.h"
#include "model/model.h"
#include "ops/exec.h"
#include "proto/spec.pb.h"

namespace tenor {

// A model with its weights, ready to run forward in FP32, whatever type it was trained in: results
// are the same on every machine within rounding.
struct LoadedModel {
  std::unique_ptr<Exec> exec;
  std::unique_ptr<ByteModel> model;  // uses *exec
  spec::JobSpec job;
  std::string origin;  // "checkpoint v000002000-g0001-r000002003" or "the untrained model of JOB"
  int64_t step = 0;
};

// Of a checkpoint of context.run; an empty name takes the newest complete one. Shows progress.
// Errors: those of FindCheckpoint, ReadCheckpointWeights and Mlstm::Create.
absl::StatusOr<LoadedModel> LoadCheckpointModel(CommandContext& context,
                                                const std::string& checkpoint, int threads);

// Version 0 of the job in a file. Errors: those of ParseJobSpec and of the file system.
absl::StatusOr<LoadedModel> LoadInitialModel(CommandContext& context, const std::string& job_path,
                                             int threads);

}  // namespace tenor

#endif  // TENOR_CLI_COMMANDS_LOADED_MODEL_H_

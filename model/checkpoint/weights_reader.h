#ifndef TENOR_MODEL_CHECKPOINT_WEIGHTS_READER_H_
#define TENOR_MODEL_CHECKPOINT_WEIGHTS_READER_H_

#include <functional>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/file_system.h"
#include "proto/spec.pb.h"

namespace tenor {

// Called after each chunk with how many of how many are read; may be empty.
using WeightsProgress = std::function<void(size_t chunks_done, size_t chunks)>;

// The flat FP32 vector of a checkpoint, from all of its shard-JJJJJ-of-KKKKK.safetensors: chunk c
// is tensor chunk.CCCCCC.weight of file c mod K. `folder` holds the files that `manifest`, which is
// valid, tells of; sums are not checked. DataLoss: a file is missing, is no safetensors file or
// does not hold what the manifest says; else the errors of the file system. All name the path. What
// is allocated is bounded by the size of the files.
absl::StatusOr<std::vector<float>> ReadCheckpointWeights(FileSystem& files,
                                                         absl::string_view folder,
                                                         const spec::Manifest& manifest,
                                                         const WeightsProgress& progress = nullptr);

}  // namespace tenor

#endif  // TENOR_MODEL_CHECKPOINT_WEIGHTS_READER_H_

#ifndef TENOR_SERVER_RUNNER_SHARD_FILE_H_
#define TENOR_SERVER_RUNNER_SHARD_FILE_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/file_system.h"
#include "model/checkpoint/safetensors.h"
#include "proto/spec.pb.h"
#include "server/core/messages.h"
#include "server/core/names.h"

// One server's file of a checkpoint (docs/design.md 8): for every chunk that it owns, in ascending
// order, chunk.000017.weight, .m and .v (F32).

namespace tenor {

// Masters and moments of one chunk, equally long.
template <typename Float>
struct ChunkState {
  ChunkNumber chunk = 0;
  std::span<Float> weight;
  std::span<Float> m;
  std::span<Float> v;
};

struct ShardFileIdentity {
  std::string run_folder;
  CheckpointName checkpoint;
  int32_t shard = 0;
  int32_t shards = 1;
};

// A file that is written to PATH.tmp and then committed by fsync and rename. Single-threaded.
class ShardFileWriter {
 public:
  // Creates the checkpoint's folder where it is missing, and the temporary file with its header.
  static absl::StatusOr<std::unique_ptr<ShardFileWriter>> Create(
      FileSystem& files, const ShardFileIdentity& identity,
      const std::vector<ChunkState<const float>>& chunks);

  // Writes all chunks, through a buffer of 1 MiB. They must not change meanwhile.
  absl::Status Write(const std::vector<ChunkState<const float>>& chunks);

  // fsync, rename, fsync of the folder. After it the file is durable.
  absl::StatusOr<SavedFile> Commit();

 private:
  ShardFileWriter(FileSystem& files, std::string path, std::unique_ptr<SafetensorsWriter> writer);

  FileSystem& files_;
  const std::string path_;
  const std::unique_ptr<SafetensorsWriter> writer_;
};

// Removes this server's file of a checkpoint, temporary or final; nothing there is fine.
absl::Status DeleteShardFile(FileSystem& files, const ShardFileIdentity& identity);

// Fills `chunks` from the files of a checkpoint, written by any number of servers: chunk c lies in
// file c mod manifest.shards. Reads only the files that it needs, and checks each against the
// manifest first. Errors: DataLoss (a file is missing, short, or its checksum is wrong, or it does
// not hold what the manifest promises); those of the file system.
absl::Status LoadChunks(FileSystem& files, absl::string_view folder, const spec::Manifest& manifest,
                        const std::vector<ChunkState<float>>& chunks);

}  // namespace tenor

#endif  // TENOR_SERVER_RUNNER_SHARD_FILE_H_

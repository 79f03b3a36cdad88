#include "server/runner/shard_file.h"

#include <map>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/file_operations.h"
#include "base/path.h"
#include "base/status.h"
#include "server/runner/checkpoint_store.h"
#include "server/runner/run_paths.h"

namespace tenor {
namespace {

std::string TensorName(ChunkNumber chunk, absl::string_view part) {
  return absl::StrFormat("chunk.%06d.%s", chunk, part);
}

std::string TemporaryPath(absl::string_view path) { return absl::StrCat(path, ".tmp"); }

std::string PathOf(const ShardFileIdentity& identity) {
  return JoinPath(CheckpointFolder(identity.run_folder, identity.checkpoint),
                  ShardFileName(identity.shard, identity.shards));
}

std::vector<TensorDeclaration> Declare(const std::vector<ChunkState<const float>>& chunks) {
  std::vector<TensorDeclaration> tensors;
  for (const ChunkState<const float>& chunk : chunks) {
    const std::vector<uint64_t> shape = {chunk.weight.size()};
    for (absl::string_view part : {"weight", "m", "v"}) {
      tensors.push_back({TensorName(chunk.chunk, part), shape});
    }
  }
  return tensors;
}

// What is wrong with the contents of a file is damage; what is wrong with reading it is not.
absl::Status AsDamage(const absl::Status& status) {
  if (absl::IsInvalidArgument(status) || absl::IsOutOfRange(status) || absl::IsNotFound(status)) {
    return absl::DataLossError(status.message());
  }
  return status;
}

absl::Status ReadPart(const SafetensorsReader& reader, absl::string_view path,
                      const std::string& name, std::span<float> out) {
  const auto* tensor = reader.Find(name);
  if (tensor == nullptr) return absl::DataLossError(absl::StrCat(path, " lacks tensor ", name));
  if (tensor->shape != std::vector<uint64_t>{out.size()}) {
    return absl::DataLossError(
        absl::StrCat(path, ": tensor ", name, " is not a vector of ", out.size(), " elements"));
  }
  return AsDamage(reader.ReadFloats(*tensor, 0, out));
}

absl::Status LoadChunk(const SafetensorsReader& reader, absl::string_view path,
                       const ChunkState<float>& chunk) {
  TENOR_RETURN_IF_ERROR(ReadPart(reader, path, TensorName(chunk.chunk, "weight"), chunk.weight));
  TENOR_RETURN_IF_ERROR(ReadPart(reader, path, TensorName(chunk.chunk, "m"), chunk.m));
  return ReadPart(reader, path, TensorName(chunk.chunk, "v"), chunk.v);
}

}  // namespace

ShardFileWriter::ShardFileWriter(FileSystem& files, std::string path,
                                 std::unique_ptr<SafetensorsWriter> writer)
    : files_(files), path_(std::move(path)), writer_(std::move(writer)) {}

absl::StatusOr<std::unique_ptr<ShardFileWriter>> ShardFileWriter::Create(
    FileSystem& files, const ShardFileIdentity& identity,
    const std::vector<ChunkState<const float>>& chunks) {
  std::string path = PathOf(identity);
  TENOR_RETURN_IF_ERROR(EnsureDirectory(files, DirectoryName(path)));
  TENOR_ASSIGN_OR_RETURN(std::unique_ptr<WritableFile> file, files.Create(TemporaryPath(path)));
  TENOR_ASSIGN_OR_RETURN(
      std::unique_ptr<SafetensorsWriter> writer,
      SafetensorsWriter::Create(std::move(file), Declare(chunks), {{"format", "tenor-shard"}}));
  return std::unique_ptr<ShardFileWriter>(
      new ShardFileWriter(files, std::move(path), std::move(writer)));
}

absl::Status ShardFileWriter::Write(const std::vector<ChunkState<const float>>& chunks) {
  for (const ChunkState<const float>& chunk : chunks) {
    TENOR_RETURN_IF_ERROR(writer_->Append(chunk.weight));
    TENOR_RETURN_IF_ERROR(writer_->Append(chunk.m));
    TENOR_RETURN_IF_ERROR(writer_->Append(chunk.v));
  }
  return absl::OkStatus();
}

absl::StatusOr<SavedFile> ShardFileWriter::Commit() {
  TENOR_ASSIGN_OR_RETURN(const FileDigest digest, writer_->Finish());
  TENOR_RETURN_IF_ERROR(files_.Rename(TemporaryPath(path_), path_));
  TENOR_RETURN_IF_ERROR(files_.SyncDirectory(DirectoryName(path_)));
  return SavedFile{std::string(BaseName(path_)), static_cast<int64_t>(digest.bytes), digest.crc32c};
}

absl::Status DeleteShardFile(FileSystem& files, const ShardFileIdentity& identity) {
  const std::string path = PathOf(identity);
  for (const std::string& one : {TemporaryPath(path), path}) {
    if (absl::Status removed = files.Remove(one); !removed.ok() && !absl::IsNotFound(removed)) {
      return removed;
    }
  }
  return absl::OkStatus();
}

absl::Status LoadChunks(FileSystem& files, absl::string_view folder, const spec::Manifest& manifest,
                        const std::vector<ChunkState<float>>& chunks) {
  if (manifest.shards() < 1 || manifest.files_size() != manifest.shards()) {
    return absl::DataLossError(absl::StrCat(folder, ": the manifest names ", manifest.files_size(),
                                            " files for ", manifest.shards(), " servers"));
  }
  std::map<int, std::vector<ChunkState<float>>> by_file;
  for (const ChunkState<float>& chunk : chunks) {
    by_file[chunk.chunk % manifest.shards()].push_back(chunk);
  }
  for (const auto& [index, own] : by_file) {
    const std::string path = JoinPath(folder, manifest.files(index).name());
    TENOR_RETURN_IF_ERROR(VerifyFile(files, path, manifest.files(index)));
    const absl::StatusOr<SafetensorsReader> reader = SafetensorsReader::Open(files, path);
    if (!reader.ok()) return AsDamage(reader.status());
    for (const ChunkState<float>& chunk : own) {
      TENOR_RETURN_IF_ERROR(LoadChunk(*reader, path, chunk));
    }
  }
  return absl::OkStatus();
}

}  // namespace tenor

#include "model/checkpoint/weights_reader.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/path.h"
#include "base/status.h"
#include "model/checkpoint/safetensors.h"

namespace tenor {
namespace {

struct ShardFile {
  std::string path;
  SafetensorsReader reader;
};

// What is wrong with the contents of a file is damage; what is wrong with reading it is not.
absl::Status AsDamage(const absl::Status& status) {
  if (absl::IsInvalidArgument(status) || absl::IsOutOfRange(status) || absl::IsNotFound(status)) {
    return absl::DataLossError(status.message());
  }
  return status;
}

absl::StatusOr<std::vector<ShardFile>> OpenShards(FileSystem& files, absl::string_view folder,
                                                  int shards) {
  std::vector<ShardFile> opened;
  for (int shard = 0; shard < shards; ++shard) {
    std::string path =
        JoinPath(folder, absl::StrFormat("shard-%05d-of-%05d.safetensors", shard, shards));
    absl::StatusOr<SafetensorsReader> reader = SafetensorsReader::Open(files, path);
    TENOR_RETURN_IF_ERROR(AsDamage(reader.status()));
    opened.push_back(ShardFile{std::move(path), *std::move(reader)});
  }
  return opened;
}

// Finds the tensor of a chunk and checks that it has `size` elements.
absl::StatusOr<const TensorEntry*> FindChunk(const ShardFile& shard, size_t chunk, size_t size) {
  const std::string name = absl::StrFormat("chunk.%06d.weight", chunk);
  const TensorEntry* tensor = shard.reader.Find(name);
  if (tensor == nullptr) {
    return absl::DataLossError(absl::StrCat(shard.path, " lacks tensor ", name));
  }
  if (tensor->dtype != "F32" || tensor->shape != std::vector<uint64_t>{size}) {
    return absl::DataLossError(
        absl::StrCat(shard.path, ": tensor ", name, " is no F32 vector of ", size, " elements"));
  }
  return tensor;
}

}  // namespace

absl::StatusOr<std::vector<float>> ReadCheckpointWeights(FileSystem& files,
                                                         absl::string_view folder,
                                                         const spec::Manifest& manifest,
                                                         const WeightsProgress& progress) {
  TENOR_ASSIGN_OR_RETURN(const std::vector<ShardFile> shards,
                         OpenShards(files, folder, manifest.shards()));
  const auto elements = static_cast<size_t>(manifest.elements());
  const auto chunk_elements = static_cast<size_t>(manifest.chunk_elements());
  const size_t chunks = (elements + chunk_elements - 1) / chunk_elements;
  const auto size_of = [&](size_t chunk) {
    return std::min(chunk_elements, elements - chunk * chunk_elements);
  };
  // Every tensor lies in a file, so this bounds `elements` before it is allocated.
  std::vector<const TensorEntry*> tensors;
  for (size_t chunk = 0; chunk < chunks; ++chunk) {
    TENOR_ASSIGN_OR_RETURN(const TensorEntry* tensor,
                           FindChunk(shards[chunk % shards.size()], chunk, size_of(chunk)));
    tensors.push_back(tensor);
  }
  std::vector<float> weights(elements);
  for (size_t chunk = 0; chunk < chunks; ++chunk) {
    const std::span<float> out = std::span(weights).subspan(chunk * chunk_elements, size_of(chunk));
    TENOR_RETURN_IF_ERROR(
        AsDamage(shards[chunk % shards.size()].reader.ReadFloats(*tensors[chunk], 0, out)));
    if (progress) progress(chunk + 1, chunks);
  }
  return weights;
}

}  // namespace tenor

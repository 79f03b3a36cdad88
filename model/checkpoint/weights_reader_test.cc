#include "model/checkpoint/weights_reader.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_format.h"
#include "base/memory_file_system.h"
#include "base/status_testing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/checkpoint/safetensors.h"

namespace tenor {
namespace {

using testing::HasSubstr;

constexpr size_t kElements = 10;
constexpr size_t kChunk = 4;

std::string Path(int shard, int shards) {
  return absl::StrFormat("/shard-%05d-of-%05d.safetensors", shard, shards);
}

// Element i is i. Chunks have weights and one moment, as in a checkpoint.
void WriteShard(FileSystem& files, int shard, int shards, size_t elements = kElements) {
  std::vector<TensorDeclaration> tensors;
  std::vector<float> values;
  for (size_t chunk = static_cast<size_t>(shard); chunk * kChunk < elements;
       chunk += static_cast<size_t>(shards)) {
    const size_t size = std::min(kChunk, elements - chunk * kChunk);
    for (const char* part : {"weight", "m"}) {
      tensors.push_back({absl::StrFormat("chunk.%06d.%s", chunk, part), {size}});
      const float sign = part[0] == 'w' ? 1.0f : -1.0f;
      for (size_t i = 0; i < size; ++i) {
        values.push_back(sign * static_cast<float>(chunk * kChunk + i));
      }
    }
  }
  auto writer = SafetensorsWriter::Create(*files.Create(Path(shard, shards)), tensors, {});
  ASSERT_THAT(writer, IsOk());
  ASSERT_THAT((*writer)->Append(values), IsOk());
  ASSERT_THAT((*writer)->Finish(), IsOk());
}

spec::Manifest ManifestOf(int shards, int64_t elements = kElements) {
  spec::Manifest manifest;
  manifest.set_shards(shards);
  manifest.set_elements(elements);
  manifest.set_chunk_elements(kChunk);
  return manifest;
}

TEST(WeightsReaderTest, JoinsChunksOfAnyNumberOfServers) {
  std::vector<float> expected(kElements);
  for (size_t i = 0; i < kElements; ++i) expected[i] = static_cast<float>(i);
  for (int shards : {1, 2, 3, 5}) {
    MemoryFileSystem files;
    for (int shard = 0; shard < shards; ++shard) WriteShard(files, shard, shards);
    size_t calls = 0;
    const auto weights =
        ReadCheckpointWeights(files, "/", ManifestOf(shards), [&](size_t done, size_t chunks) {
          EXPECT_EQ(done, ++calls);
          EXPECT_EQ(chunks, 3u);
        });
    EXPECT_THAT(weights, IsOkAndHolds(expected)) << shards << " servers";
    EXPECT_EQ(calls, 3u);
  }
}

TEST(WeightsReaderTest, MissingFileIsDataLoss) {
  MemoryFileSystem files;
  WriteShard(files, 0, 2);
  EXPECT_THAT(ReadCheckpointWeights(files, "/", ManifestOf(2)),
              StatusIs(absl::StatusCode::kDataLoss, HasSubstr("shard-00001-of-00002")));
}

TEST(WeightsReaderTest, MissingChunkIsDataLoss) {
  MemoryFileSystem files;
  WriteShard(files, 0, 1, /*elements=*/8);
  EXPECT_THAT(ReadCheckpointWeights(files, "/", ManifestOf(1)),
              StatusIs(absl::StatusCode::kDataLoss, HasSubstr("lacks tensor chunk.000002.weight")));
}

TEST(WeightsReaderTest, ChunkOfAnotherSizeIsDataLoss) {
  MemoryFileSystem files;
  WriteShard(files, 0, 1, /*elements=*/9);
  EXPECT_THAT(ReadCheckpointWeights(files, "/", ManifestOf(1)),
              StatusIs(absl::StatusCode::kDataLoss, HasSubstr("no F32 vector of 2 elements")));
}

TEST(WeightsReaderTest, HugeManifestAllocatesNothing) {
  MemoryFileSystem files;
  WriteShard(files, 0, 1);
  EXPECT_THAT(ReadCheckpointWeights(files, "/", ManifestOf(1, int64_t{1} << 60)),
              StatusIs(absl::StatusCode::kDataLoss));
}

TEST(WeightsReaderTest, FileThatIsNoneIsDataLoss) {
  MemoryFileSystem files;
  auto file = files.Create(Path(0, 1));
  ASSERT_THAT((*file)->Append("nonsense"), IsOk());
  EXPECT_THAT(ReadCheckpointWeights(files, "/", ManifestOf(1)),
              StatusIs(absl::StatusCode::kDataLoss, HasSubstr(Path(0, 1))));
}

}  // namespace
}  // namespace tenor

#include "data/document_shuffle.h"

#include <algorithm>
#include <memory>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/crc32c.h"
#include "base/path.h"
#include "base/random.h"
#include "base/status.h"
#include "data/little_endian.h"

namespace tenor {
namespace {

constexpr size_t kBucketBuffer = size_t{64} << 10;
constexpr size_t kHeaderBytes = 24;  // key, ordinal, length * 2 + held out

// Cuts `bytes` into documents; false if it is no sequence of records.
bool ParseRecords(absl::string_view bytes, std::vector<ShuffledDocument>* documents) {
  while (!bytes.empty()) {
    if (bytes.size() < kHeaderBytes) return false;
    const uint64_t size = LoadU64(bytes.data() + 16);
    ShuffledDocument document{LoadU64(bytes.data()), LoadU64(bytes.data() + 8)};
    document.is_held_out = size % 2 == 1;
    bytes.remove_prefix(kHeaderBytes);
    if (size / 2 > bytes.size()) return false;
    document.text = bytes.substr(0, size / 2);
    bytes.remove_prefix(size / 2);
    documents->push_back(document);
  }
  return true;
}

absl::Status ReadWhole(FileSystem& files, const std::string& path, std::vector<char>* bytes) {
  TENOR_ASSIGN_OR_RETURN(const std::unique_ptr<RandomAccessFile> file, files.Open(path));
  bytes->resize(file->Size());
  return file->Read(0, std::as_writable_bytes(std::span(bytes->data(), bytes->size())));
}

}  // namespace

bool IsHeldOut(int64_t seed, double fraction, absl::string_view document) {
  const uint64_t hash = (uint64_t{document.size()} << 32) ^ Crc32c(document);
  return UniformDouble(RandomBits(static_cast<uint64_t>(seed), kHeldOutStream, hash)) < fraction;
}

std::string BucketPath(absl::string_view folder, int bucket) {
  return JoinPath(folder, absl::StrFormat("bucket-%05d", bucket));
}

absl::StatusOr<BucketWriter> BucketWriter::Create(FileSystem& files, absl::string_view folder,
                                                  int buckets, int64_t seed) {
  BucketWriter writer(seed);
  for (int i = 0; i < buckets; ++i) {
    TENOR_ASSIGN_OR_RETURN(SummedFile bucket,
                           SummedFile::Create(files, BucketPath(folder, i), kBucketBuffer));
    writer.buckets_.push_back(std::move(bucket));
  }
  return writer;
}

absl::Status BucketWriter::Append(absl::string_view document, bool is_held_out) {
  const uint64_t key = RandomBits(static_cast<uint64_t>(seed_), kShuffleStream, ordinal_);
  SummedFile& bucket = buckets_[UniformBelow(key, buckets_.size())];
  char header[kHeaderBytes];
  StoreU64(key, header);
  StoreU64(ordinal_, header + 8);
  StoreU64(document.size() * 2 + (is_held_out ? 1 : 0), header + 16);
  ++ordinal_;
  TENOR_RETURN_IF_ERROR(bucket.Append(absl::string_view(header, kHeaderBytes)));
  return bucket.Append(document);
}

absl::Status BucketWriter::Close() {
  for (SummedFile& bucket : buckets_) TENOR_RETURN_IF_ERROR(bucket.Close());
  return absl::OkStatus();
}

LoadedBucket LoadBucket(FileSystem& files, absl::string_view folder, int bucket) {
  LoadedBucket loaded;
  const std::string path = BucketPath(folder, bucket);
  loaded.status = ReadWhole(files, path, &loaded.bytes);
  if (!loaded.status.ok()) return loaded;
  const absl::string_view bytes(loaded.bytes.data(), loaded.bytes.size());
  if (!ParseRecords(bytes, &loaded.documents)) {
    loaded.status = absl::DataLossError(
        absl::StrCat(path, ": the temporary file was changed; is another build running?"));
  }
  std::sort(loaded.documents.begin(), loaded.documents.end(),
            [](const ShuffledDocument& a, const ShuffledDocument& b) {
              return std::tie(a.key, a.ordinal) < std::tie(b.key, b.ordinal);
            });
  return loaded;
}

}  // namespace tenor

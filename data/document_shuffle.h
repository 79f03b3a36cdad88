#ifndef TENOR_DATA_DOCUMENT_SHUFFLE_H_
#define TENOR_DATA_DOCUMENT_SHUFFLE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/file_system.h"
#include "data/summed_file.h"

// Shuffles documents that do not fit into memory. Document i gets the key RandomBits(seed, stream,
// i) and the shuffled order is that of the keys. The documents are first dealt to buckets, one
// temporary file each, by ranges of the key; then one bucket after another is read and sorted. So
// the order is a function of seed and documents alone, whatever the number of buckets.

namespace tenor {

// Of the shuffle and of the choice of held-out documents.
inline constexpr uint64_t kShuffleStream = 0x73687566666c65;
inline constexpr uint64_t kHeldOutStream = 0x68656c646f7574;

// A pure function of seed and processed document, so that equal documents stay together.
bool IsHeldOut(int64_t seed, double fraction, absl::string_view document);

// A document in a loaded bucket; a view into it.
struct ShuffledDocument {
  uint64_t key = 0;
  uint64_t ordinal = 0;
  absl::string_view text;
  bool is_held_out = false;
};

// One bucket in the order of the keys. Move-only: the views point into `bytes`.
struct LoadedBucket {
  absl::Status status;
  std::vector<char> bytes;
  std::vector<ShuffledDocument> documents;
};

// First pass: deals. Single-threaded. Errors of the file system.
class BucketWriter {
 public:
  // Files "bucket-00000" .. in `folder`, which exists. REQUIRES: 1 <= buckets <= 4096.
  static absl::StatusOr<BucketWriter> Create(FileSystem& files, absl::string_view folder,
                                             int buckets, int64_t seed);

  // Documents are counted in the order of the calls.
  absl::Status Append(absl::string_view document, bool is_held_out);
  absl::Status Close();

 private:
  explicit BucketWriter(int64_t seed) : seed_(seed) {}

  int64_t seed_;
  uint64_t ordinal_ = 0;
  std::vector<SummedFile> buckets_;
};

// Second pass: one bucket, sorted. Thread-safe for different buckets. `status` also says DataLoss
// if the file is not what BucketWriter wrote.
LoadedBucket LoadBucket(FileSystem& files, absl::string_view folder, int bucket);

// Name of a bucket's file.
std::string BucketPath(absl::string_view folder, int bucket);

}  // namespace tenor

#endif  // TENOR_DATA_DOCUMENT_SHUFFLE_H_

#ifndef TENOR_DATA_TEXT_DATASET_H_
#define TENOR_DATA_TEXT_DATASET_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/file_system.h"
#include "data/separator.h"
#include "proto/spec.pb.h"

// `tenor data text`: makes a data set from text files. A data set is a folder with four files:
//
//   train.bin, heldout.bin   processed documents (preprocess.h), one behind the other, shuffled
//   index.bin                where documents begin: u64 little-endian offsets, train.documents of
//                            them into train.bin, then heldout.documents into heldout.bin
//   dataset.textproto        spec::DataSet: sizes, crc32c, options; written last: its presence
//                            says that the others are whole. The digest is its crc32c
//
// Which document is held out depends on its processed bytes and the seed alone, the order on the
// seed and the documents' numbers in the input. The four files are the same bytes for any number
// of threads and any size of buckets.
//
// Input is streamed twice (document_shuffle.h): the temporary files need the text's size once more
// on the disk of the output. Memory: some MiB a thread and two buckets, for inputs up to 16 GiB
// 64 MiB each, beyond that 1/256 of the text.

namespace tenor {

inline constexpr absl::string_view kDataSetFile = "dataset.textproto";

struct TextDataSetOptions {
  std::vector<std::string> inputs;  // files and folders (input_files.h)
  std::string output;               // folder; created with its parents
  Separator separator;
  int64_t seed = 1;
  double heldout_fraction = 0.01;  // [0, 1)
  int threads = 1;
  size_t max_document_bytes = size_t{64} << 20;
  size_t bucket_bytes = size_t{64} << 20;  // wanted size of a temporary file
};

struct TextDataSetProgress {
  bool is_shuffling = false;  // second pass
  uint64_t bytes_done = 0;    // of the input in the first pass, of the text in the second
  uint64_t bytes_total = 0;
  int64_t documents = 0;  // so far in this pass
};

struct BuiltTextDataSet {
  spec::DataSet data_set;
  std::string digest;         // "crc32c:9ab30011"
  int64_t skipped_files = 0;  // in folders, no text
  bool was_there = false;     // the folder held this very data set; nothing was changed
};

// "crc32c:" and 8 hexadecimal digits.
std::string DataSetDigest(absl::string_view dataset_textproto);

// One build an output folder at a time. `progress` is called on the calling thread, about once a
// MiB; it may be empty. A build that was cut off leaves the folder "building.tmp" in `output`; the
// next one starts afresh. Nothing that is complete is overwritten.
//
// Errors, one line with the path: InvalidArgument (options, malformed input with its line, no
// column, no text, nothing left to train on), AlreadyExists (`output` holds another data set or
// anything else), ResourceExhausted (disk full), NotFound, PermissionDenied and the rest of the
// file system's.
absl::StatusOr<BuiltTextDataSet> BuildTextDataSet(
    FileSystem& files, const TextDataSetOptions& options,
    const std::function<void(const TextDataSetProgress&)>& progress);

}  // namespace tenor

#endif  // TENOR_DATA_TEXT_DATASET_H_

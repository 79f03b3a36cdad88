#ifndef TENOR_DATA_TEXT_READER_H_
#define TENOR_DATA_TEXT_READER_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/file_system.h"
#include "proto/spec.pb.h"

namespace tenor {

// A data set made by BuildTextDataSet, open for reading. Thread-safe.
class TextDataSet {
 public:
  // What dataset.textproto says.
  const spec::DataSet& description() const { return description_; }
  // "crc32c:" and 8 hexadecimal digits, as a JobSpec names it.
  const std::string& digest() const { return digest_; }

  int64_t train_bytes() const { return description_.train().bytes(); }
  int64_t heldout_bytes() const { return description_.heldout().bytes(); }

  // Fills `out` with the bytes of train.bin or heldout.bin from `offset` on. OutOfRange if they end
  // before, else the errors of the file system.
  absl::Status ReadTrain(int64_t offset, std::span<uint8_t> out) const;
  absl::Status ReadHeldOut(int64_t offset, std::span<uint8_t> out) const;

  // One processed document, 0 <= document < documents of that file. OutOfRange otherwise; DataLoss
  // if the index is damaged.
  absl::StatusOr<std::string> TrainDocument(int64_t document) const;
  absl::StatusOr<std::string> HeldOutDocument(int64_t document) const;

  // Reads all files and compares their crc32c. DataLoss names the first file that differs and both
  // sums.
  absl::Status VerifyChecksums() const;

 private:
  friend absl::StatusOr<std::unique_ptr<TextDataSet>> OpenTextDataSet(FileSystem& files,
                                                                      absl::string_view folder);
  TextDataSet() = default;

  // Of the documents whose offsets begin at `first` in index.bin.
  absl::StatusOr<std::string> Document(const RandomAccessFile& file, const spec::DataFile& size,
                                       int64_t first, int64_t document) const;
  absl::StatusOr<int64_t> Start(int64_t entry) const;

  std::string folder_;
  spec::DataSet description_;
  std::string digest_;
  std::unique_ptr<RandomAccessFile> train_;
  std::unique_ptr<RandomAccessFile> heldout_;
  std::unique_ptr<RandomAccessFile> index_;
};

// Reads dataset.textproto and checks the sizes of the files; the checksums on request only. Errors,
// one line: NotFound (no data set there), InvalidArgument (dataset.textproto is malformed, with
// line and column), DataLoss (a file of another size, with both).
absl::StatusOr<std::unique_ptr<TextDataSet>> OpenTextDataSet(FileSystem& files,
                                                             absl::string_view folder);

// Whether `data_set` is the one that a job names: FailedPrecondition with both digests or both
// sizes.
absl::Status CheckIsDataSetOf(const TextDataSet& data_set, const spec::TextData& text);

}  // namespace tenor

#endif  // TENOR_DATA_TEXT_READER_H_

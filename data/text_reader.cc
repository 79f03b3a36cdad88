#include "data/text_reader.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/crc32c.h"
#include "base/path.h"
#include "base/status.h"
#include "data/little_endian.h"
#include "data/text_dataset.h"
#include "proto/parse.h"

namespace tenor {
namespace {

constexpr int64_t kReadBytes = int64_t{1} << 20;

absl::StatusOr<std::unique_ptr<RandomAccessFile>> OpenFile(FileSystem& files,
                                                           absl::string_view folder,
                                                           const spec::DataFile& description) {
  const std::string path = JoinPath(folder, description.name());
  TENOR_ASSIGN_OR_RETURN(std::unique_ptr<RandomAccessFile> file, files.Open(path));
  if (file->Size() == static_cast<uint64_t>(description.bytes())) return file;
  return absl::DataLossError(absl::StrCat(path, ": has ", file->Size(), " bytes, ", kDataSetFile,
                                          " says ", description.bytes(),
                                          "; copy the data set again"));
}

absl::Status Read(const RandomAccessFile& file, int64_t offset, std::span<uint8_t> out) {
  const auto size = static_cast<int64_t>(file.Size());
  if (offset < 0 || offset > size || static_cast<int64_t>(out.size()) > size - offset) {
    return absl::OutOfRangeError(absl::StrCat("bytes ", offset, " to ", offset, " + ", out.size(),
                                              " are asked for; the file has ", size));
  }
  return file.Read(static_cast<uint64_t>(offset), std::as_writable_bytes(out));
}

absl::Status VerifyFile(absl::string_view folder, const spec::DataFile& description,
                        const RandomAccessFile& file) {
  uint32_t crc = 0;
  std::vector<std::byte> bytes;
  for (int64_t offset = 0; offset < description.bytes(); offset += kReadBytes) {
    bytes.resize(static_cast<size_t>(std::min(kReadBytes, description.bytes() - offset)));
    TENOR_RETURN_IF_ERROR(file.Read(static_cast<uint64_t>(offset), std::span(bytes)));
    crc = ExtendCrc32c(crc, std::span<const std::byte>(bytes));
  }
  if (crc == description.crc32c()) return absl::OkStatus();
  return absl::DataLossError(absl::StrFormat(
      "%s: has crc32c %08x, %s says %08x; copy the data set again",
      JoinPath(folder, description.name()), crc, kDataSetFile, description.crc32c()));
}

}  // namespace

absl::Status TextDataSet::ReadTrain(int64_t offset, std::span<uint8_t> out) const {
  return Read(*train_, offset, out);
}

absl::Status TextDataSet::ReadHeldOut(int64_t offset, std::span<uint8_t> out) const {
  return Read(*heldout_, offset, out);
}

absl::StatusOr<int64_t> TextDataSet::Start(int64_t entry) const {
  std::array<uint8_t, 8> bytes;
  TENOR_RETURN_IF_ERROR(Read(*index_, entry * 8, bytes));
  return static_cast<int64_t>(LoadU64(reinterpret_cast<const char*>(bytes.data())));
}

absl::StatusOr<std::string> TextDataSet::Document(const RandomAccessFile& file,
                                                  const spec::DataFile& size, int64_t first,
                                                  int64_t document) const {
  if (document < 0 || document >= size.documents()) {
    return absl::OutOfRangeError(absl::StrCat("document ", document, " is asked for; ", size.name(),
                                              " has ", size.documents()));
  }
  TENOR_ASSIGN_OR_RETURN(const int64_t begin, Start(first + document));
  int64_t end = size.bytes();
  if (document + 1 < size.documents()) {
    TENOR_ASSIGN_OR_RETURN(end, Start(first + document + 1));
  }
  if (begin < 0 || begin > end || end > size.bytes()) {
    return absl::DataLossError(absl::StrCat(
        JoinPath(folder_, description_.index().name()), ": document ", document, " of ",
        size.name(), " is from ", begin, " to ", end, "; copy the data set again"));
  }
  std::string text(static_cast<size_t>(end - begin), '\0');
  TENOR_RETURN_IF_ERROR(
      Read(file, begin, std::span(reinterpret_cast<uint8_t*>(text.data()), text.size())));
  return text;
}

absl::StatusOr<std::string> TextDataSet::TrainDocument(int64_t document) const {
  return Document(*train_, description_.train(), 0, document);
}

absl::StatusOr<std::string> TextDataSet::HeldOutDocument(int64_t document) const {
  return Document(*heldout_, description_.heldout(), description_.train().documents(), document);
}

absl::Status TextDataSet::VerifyChecksums() const {
  TENOR_RETURN_IF_ERROR(VerifyFile(folder_, description_.train(), *train_));
  TENOR_RETURN_IF_ERROR(VerifyFile(folder_, description_.heldout(), *heldout_));
  return VerifyFile(folder_, description_.index(), *index_);
}

absl::StatusOr<std::unique_ptr<TextDataSet>> OpenTextDataSet(FileSystem& files,
                                                             absl::string_view folder) {
  const std::string path = JoinPath(folder, kDataSetFile);
  TENOR_ASSIGN_OR_RETURN(const std::string text, files.ReadFile(path));
  // Not make_unique: the constructor is private.
  std::unique_ptr<TextDataSet> opened(new TextDataSet);
  TENOR_ASSIGN_OR_RETURN(opened->description_, ParseDataSet(text, path));
  opened->folder_ = std::string(folder);
  opened->digest_ = DataSetDigest(text);
  const spec::DataSet& description = opened->description_;
  TENOR_ASSIGN_OR_RETURN(opened->train_, OpenFile(files, folder, description.train()));
  TENOR_ASSIGN_OR_RETURN(opened->heldout_, OpenFile(files, folder, description.heldout()));
  TENOR_ASSIGN_OR_RETURN(opened->index_, OpenFile(files, folder, description.index()));
  return opened;
}

absl::Status CheckIsDataSetOf(const TextDataSet& data_set, const spec::TextData& text) {
  if (data_set.digest() != text.digest()) {
    return absl::FailedPreconditionError(
        absl::StrCat("the data set here is ", data_set.digest(), ", the job's is ", text.digest()));
  }
  if (data_set.train_bytes() != text.bytes()) {
    return absl::FailedPreconditionError(
        absl::StrCat("the data set here has ", data_set.train_bytes(),
                     " bytes to train on, the job says ", text.bytes()));
  }
  return absl::OkStatus();
}

}  // namespace tenor

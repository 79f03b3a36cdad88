#include "data/summed_file.h"

#include <utility>

#include "base/crc32c.h"
#include "base/status.h"
#include "data/little_endian.h"

namespace tenor {

absl::StatusOr<SummedFile> SummedFile::Create(FileSystem& files, absl::string_view path,
                                              size_t buffer_bytes) {
  TENOR_ASSIGN_OR_RETURN(std::unique_ptr<WritableFile> file, files.Create(path));
  return SummedFile(std::move(file), buffer_bytes);
}

absl::Status SummedFile::Append(absl::string_view data) {
  buffer_.append(data.data(), data.size());
  bytes_ += data.size();
  crc_ = ExtendCrc32c(crc_, data);
  return buffer_.size() < buffer_bytes_ ? absl::OkStatus() : Flush();
}

absl::Status SummedFile::AppendU64(uint64_t value) {
  char bytes[8];
  StoreU64(value, bytes);
  return Append(absl::string_view(bytes, sizeof(bytes)));
}

absl::Status SummedFile::Flush() {
  const absl::Status status = file_->Append(buffer_);
  buffer_.clear();
  return status;
}

absl::Status SummedFile::Commit() {
  TENOR_RETURN_IF_ERROR(Flush());
  TENOR_RETURN_IF_ERROR(file_->Sync());
  return file_->Close();
}

absl::Status SummedFile::Close() {
  TENOR_RETURN_IF_ERROR(Flush());
  return file_->Close();
}

}  // namespace tenor

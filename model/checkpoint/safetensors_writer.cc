#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/crc32c.h"
#include "base/file_system.h"
#include "base/status.h"
#include "model/checkpoint/safetensors.h"
#include "model/checkpoint/safetensors_header.h"

namespace tenor {
namespace {

constexpr size_t kBufferBytes = size_t{1} << 20;

}  // namespace

SafetensorsWriter::SafetensorsWriter(std::unique_ptr<WritableFile> file) : file_(std::move(file)) {
  buffer_.reserve(kBufferBytes);
}

absl::StatusOr<std::unique_ptr<SafetensorsWriter>> SafetensorsWriter::Create(
    std::unique_ptr<WritableFile> file, const std::vector<TensorDeclaration>& tensors,
    std::map<std::string, std::string> metadata) {
  SafetensorsHeader header = {.tensors = {}, .metadata = std::move(metadata)};
  for (const TensorDeclaration& tensor : tensors) {
    header.tensors.push_back({.name = tensor.name, .dtype = "F32", .shape = tensor.shape});
  }
  TENOR_RETURN_IF_ERROR(PlaceTensors(&header.tensors));
  TENOR_ASSIGN_OR_RETURN(const std::string text, SerializeSafetensorsHeader(header));
  std::unique_ptr<SafetensorsWriter> writer(new SafetensorsWriter(std::move(file)));
  writer->data_bytes_left_ = header.tensors.empty() ? 0 : header.tensors.back().end;
  TENOR_RETURN_IF_ERROR(writer->AppendBytes(std::as_bytes(std::span(text))));
  return writer;
}

absl::Status SafetensorsWriter::Append(std::span<const float> elements) {
  TENOR_RETURN_IF_ERROR(status_);
  if (elements.size_bytes() > data_bytes_left_) {
    status_ = absl::FailedPreconditionError(
        absl::StrCat(elements.size(), " more elements are appended, but only ",
                     data_bytes_left_ / sizeof(float), " of the declared ones are missing"));
    return status_;
  }
  data_bytes_left_ -= elements.size_bytes();
  status_ = AppendBytes(std::as_bytes(elements));
  return status_;
}

absl::StatusOr<FileDigest> SafetensorsWriter::Finish() {
  TENOR_RETURN_IF_ERROR(status_);
  if (data_bytes_left_ > 0) {
    return absl::FailedPreconditionError(
        absl::StrCat(data_bytes_left_ / sizeof(float), " declared elements were never appended"));
  }
  TENOR_RETURN_IF_ERROR(Flush());
  TENOR_RETURN_IF_ERROR(file_->Sync());
  TENOR_RETURN_IF_ERROR(file_->Close());
  return digest_;
}

absl::Status SafetensorsWriter::AppendBytes(std::span<const std::byte> bytes) {
  if (buffer_.size() + bytes.size() > kBufferBytes) TENOR_RETURN_IF_ERROR(Flush());
  if (bytes.size() >= kBufferBytes) return Write(bytes);
  buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
  return absl::OkStatus();
}

absl::Status SafetensorsWriter::Flush() {
  TENOR_RETURN_IF_ERROR(Write(buffer_));
  buffer_.clear();
  return absl::OkStatus();
}

absl::Status SafetensorsWriter::Write(std::span<const std::byte> bytes) {
  digest_.bytes += bytes.size();
  digest_.crc32c = ExtendCrc32c(digest_.crc32c, bytes);
  return file_->Append(bytes);
}

}  // namespace tenor

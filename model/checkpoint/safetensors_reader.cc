#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/file_system.h"
#include "base/status.h"
#include "model/checkpoint/safetensors.h"
#include "model/checkpoint/safetensors_header.h"

namespace tenor {
namespace {

static_assert(std::endian::native == std::endian::little, "the data is little-endian");

// Bytes of the header, checked against the file before anything of that size is allocated.
absl::StatusOr<uint64_t> ReadHeaderLength(const RandomAccessFile& file) {
  if (file.Size() < kSafetensorsLengthBytes) {
    return absl::InvalidArgumentError(
        absl::StrCat("file has ", file.Size(), " bytes, too few for a safetensors file"));
  }
  uint64_t length = 0;
  TENOR_RETURN_IF_ERROR(file.Read(0, std::as_writable_bytes(std::span(&length, 1))));
  if (length > kSafetensorsMaxHeaderBytes) {
    return absl::InvalidArgumentError(absl::StrCat("safetensors header claims ", length,
                                                   " bytes, more than ", kSafetensorsMaxHeaderBytes,
                                                   ": it is damaged or another kind of file"));
  }
  if (length > file.Size() - kSafetensorsLengthBytes) {
    return absl::InvalidArgumentError(absl::StrCat("safetensors header claims ", length,
                                                   " bytes, but the file has ", file.Size(),
                                                   ": it is cut or another kind of file"));
  }
  return length;
}

absl::StatusOr<SafetensorsHeader> ReadHeader(const RandomAccessFile& file, uint64_t length) {
  std::string text(length, '\0');
  TENOR_RETURN_IF_ERROR(
      file.Read(kSafetensorsLengthBytes, std::as_writable_bytes(std::span(text))));
  return ParseSafetensorsHeader(text, file.Size() - kSafetensorsLengthBytes - length);
}

}  // namespace

SafetensorsReader::SafetensorsReader(std::unique_ptr<RandomAccessFile> file, uint64_t data_start,
                                     SafetensorsHeader header)
    : file_(std::move(file)), data_start_(data_start), header_(std::move(header)) {
  for (size_t i = 0; i < header_.tensors.size(); ++i) index_[header_.tensors[i].name] = i;
}

absl::StatusOr<SafetensorsReader> SafetensorsReader::Open(FileSystem& files,
                                                          absl::string_view path) {
  TENOR_ASSIGN_OR_RETURN(std::unique_ptr<RandomAccessFile> file, files.Open(path));
  const absl::StatusOr<uint64_t> length = ReadHeaderLength(*file);
  if (!length.ok()) return Annotate(length.status(), path);
  absl::StatusOr<SafetensorsHeader> header = ReadHeader(*file, *length);
  if (!header.ok()) return Annotate(header.status(), path);
  return SafetensorsReader(std::move(file), kSafetensorsLengthBytes + *length, *std::move(header));
}

const TensorEntry* SafetensorsReader::Find(absl::string_view name) const {
  const auto found = index_.find(name);
  return found == index_.end() ? nullptr : &header_.tensors[found->second];
}

absl::Status SafetensorsReader::ReadFloats(const TensorEntry& tensor, uint64_t first,
                                           std::span<float> out) const {
  if (tensor.dtype != "F32") {
    return absl::InvalidArgumentError(
        absl::StrCat("tensor \"", tensor.name, "\" is ", tensor.dtype, ", but F32 is needed"));
  }
  const uint64_t elements = (tensor.end - tensor.begin) / sizeof(float);
  if (first > elements || out.size() > elements - first) {
    return absl::OutOfRangeError(absl::StrCat("tensor \"", tensor.name, "\" has ", elements,
                                              " elements, but ", out.size(), " from ", first,
                                              " on are asked for"));
  }
  return ReadBytes(tensor, first * sizeof(float), std::as_writable_bytes(out));
}

absl::Status SafetensorsReader::ReadBytes(const TensorEntry& tensor, uint64_t offset,
                                          std::span<std::byte> out) const {
  const uint64_t bytes = tensor.end - tensor.begin;
  if (offset > bytes || out.size() > bytes - offset) {
    return absl::OutOfRangeError(absl::StrCat("tensor \"", tensor.name, "\" has ", bytes,
                                              " bytes, but ", out.size(), " from ", offset,
                                              " on are asked for"));
  }
  return file_->Read(data_start_ + tensor.begin + offset, out);
}

}  // namespace tenor

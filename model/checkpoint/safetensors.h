#ifndef TENOR_MODEL_CHECKPOINT_SAFETENSORS_H_
#define TENOR_MODEL_CHECKPOINT_SAFETENSORS_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/file_system.h"
#include "model/checkpoint/safetensors_header.h"

// Safetensors files, written as a stream and read at any place. Format: safetensors_header.h.

namespace tenor {

// What a manifest keeps of a file.
struct FileDigest {
  uint64_t bytes = 0;
  uint32_t crc32c = 0;  // over the whole file
};

struct TensorDeclaration {
  std::string name;
  std::vector<uint64_t> shape;  // empty: a scalar
};

// Writes one file of FP32 tensors: all are declared first, then their elements follow in the order
// of declaration. Holds at most 1 MiB of them. Single-threaded.
class SafetensorsWriter {
 public:
  // Writes the header to `file`, which is empty. InvalidArgument: see PlaceTensors and
  // SerializeSafetensorsHeader. Errors of the file as in base/file_system.h, here and below.
  static absl::StatusOr<std::unique_ptr<SafetensorsWriter>> Create(
      std::unique_ptr<WritableFile> file, const std::vector<TensorDeclaration>& tensors,
      std::map<std::string, std::string> metadata);

  SafetensorsWriter(const SafetensorsWriter&) = delete;
  SafetensorsWriter& operator=(const SafetensorsWriter&) = delete;

  // The next elements, in pieces of any size; a piece may reach over the end of a tensor.
  // FailedPrecondition: more than was declared. After an error every later call repeats it.
  absl::Status Append(std::span<const float> elements);

  // Syncs and closes the file. FailedPrecondition if elements are missing. Call once, last; without
  // it the file is incomplete, and the reader says so.
  absl::StatusOr<FileDigest> Finish();

 private:
  explicit SafetensorsWriter(std::unique_ptr<WritableFile> file);

  absl::Status AppendBytes(std::span<const std::byte> bytes);
  absl::Status Flush();
  absl::Status Write(std::span<const std::byte> bytes);

  const std::unique_ptr<WritableFile> file_;
  uint64_t data_bytes_left_ = 0;
  std::vector<std::byte> buffer_;
  FileDigest digest_;
  absl::Status status_;
};

// Reads one file. Thread-safe once open.
class SafetensorsReader {
 public:
  // Reads and checks the header. InvalidArgument if the file is no safetensors file, is cut or has
  // something behind its data; otherwise the errors of FileSystem. All name the path.
  static absl::StatusOr<SafetensorsReader> Open(FileSystem& files, absl::string_view path);

  // By position in the file.
  const std::vector<TensorEntry>& tensors() const { return header_.tensors; }
  const std::map<std::string, std::string>& metadata() const { return header_.metadata; }

  // Valid as long as this reader; null if there is none of that name.
  const TensorEntry* Find(absl::string_view name) const;

  // Fills `out` with elements [first, first + out.size()) in row-major order of a tensor of this
  // file. InvalidArgument: its dtype is not F32. OutOfRange: it has fewer elements.
  absl::Status ReadFloats(const TensorEntry& tensor, uint64_t first, std::span<float> out) const;

  // The same for bytes [offset, offset + out.size()), of any dtype.
  absl::Status ReadBytes(const TensorEntry& tensor, uint64_t offset,
                         std::span<std::byte> out) const;

 private:
  SafetensorsReader(std::unique_ptr<RandomAccessFile> file, uint64_t data_start,
                    SafetensorsHeader header);

  std::unique_ptr<RandomAccessFile> file_;
  uint64_t data_start_;
  SafetensorsHeader header_;
  std::map<std::string, size_t, std::less<>> index_;
};

}  // namespace tenor

#endif  // TENOR_MODEL_CHECKPOINT_SAFETENSORS_H_

#ifndef TENOR_MODEL_CHECKPOINT_SAFETENSORS_HEADER_H_
#define TENOR_MODEL_CHECKPOINT_SAFETENSORS_HEADER_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

// The header of a safetensors file (github.com/huggingface/safetensors, "Format"):
//
//     file   := length header data
//     length := uint64, little-endian: bytes of the header
//     header := JSON {"name": {"dtype": "F32", "shape": [2, 3], "data_offsets": [begin, end]}, ...,
//                     "__metadata__": {"key": "value", ...}}, from '{' on; blanks may follow
//     data   := the tensors, row-major, little-endian; offsets count from its first byte
//
// The tensors cover the data without hole and without overlap. All functions are thread-safe.

namespace tenor {

// Bytes that a header may have; also the limit of the reference implementation.
inline constexpr uint64_t kSafetensorsMaxHeaderBytes = 100'000'000;
inline constexpr size_t kSafetensorsLengthBytes = 8;
inline constexpr size_t kSafetensorsMaxDimensions = 16;

struct TensorEntry {
  std::string name;
  std::string dtype;            // as the format spells it: "F32", "BF16", "I64" ...
  std::vector<uint64_t> shape;  // empty: a scalar
  uint64_t begin = 0;           // bytes from the start of the data
  uint64_t end = 0;
};

struct SafetensorsHeader {
  std::vector<TensorEntry> tensors;             // by position in the data
  std::map<std::string, std::string> metadata;  // __metadata__
};

// Bytes of one element: 4 for "F32". 0 for a name that is no dtype.
uint64_t DtypeBytes(absl::string_view dtype);

// The product of the shape, 1 for a scalar. OutOfRange if it exceeds 2^64 - 1.
absl::StatusOr<uint64_t> ElementCount(const std::vector<uint64_t>& shape);

// Reads a header (without its length) whose file holds `data_bytes` bytes of data. InvalidArgument
// if it is not of the form above: bad JSON, a key that the format does not have or that comes
// twice, an unknown dtype, a size that does not fit its shape, offsets beyond the data, overlap, a
// hole. Takes memory in proportion to the text, whatever it says.
absl::StatusOr<SafetensorsHeader> ParseSafetensorsHeader(absl::string_view text,
                                                         uint64_t data_bytes);

// Places the tensors one behind the other in the given order (begin and end are filled in).
// InvalidArgument: a name twice, empty or "__metadata__", an unknown dtype, too many dimensions, a
// size beyond 2^63.
absl::Status PlaceTensors(std::vector<TensorEntry>* tensors);

// Length and header, padded with blanks so that the data starts at a multiple of 8. REQUIRES:
// placed tensors. InvalidArgument: a text that is not UTF-8, or a header beyond the limit.
absl::StatusOr<std::string> SerializeSafetensorsHeader(const SafetensorsHeader& header);

}  // namespace tenor

#endif  // TENOR_MODEL_CHECKPOINT_SAFETENSORS_HEADER_H_

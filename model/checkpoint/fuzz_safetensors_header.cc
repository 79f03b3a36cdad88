#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/check.h"
#include "model/checkpoint/safetensors_header.h"

// Input: 8 bytes of data size, then the header's text. Any text is refused or describes tensors
// that cover the data exactly; what was accepted is accepted again after being written.

namespace tenor {
namespace {

void CheckCover(const SafetensorsHeader& header, uint64_t data_bytes) {
  uint64_t covered = 0;
  for (const TensorEntry& tensor : header.tensors) {
    CHECK_EQ(tensor.begin, covered);
    CHECK_EQ(tensor.end - tensor.begin,
             ElementCount(tensor.shape).value() * DtypeBytes(tensor.dtype));
    covered = tensor.end;
  }
  CHECK_EQ(covered, data_bytes);
}

void CheckWrittenAgain(const SafetensorsHeader& header, uint64_t data_bytes) {
  const std::string text = SerializeSafetensorsHeader(header).value();
  const absl::string_view body = absl::string_view(text).substr(kSafetensorsLengthBytes);
  const SafetensorsHeader again = ParseSafetensorsHeader(body, data_bytes).value();
  CHECK_EQ(again.tensors.size(), header.tensors.size());
  CHECK(again.metadata == header.metadata);
}

}  // namespace
}  // namespace tenor

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  uint64_t data_bytes;
  if (size < sizeof(data_bytes)) return 0;
  std::memcpy(&data_bytes, data, sizeof(data_bytes));
  const absl::string_view text(reinterpret_cast<const char*>(data) + sizeof(data_bytes),
                               size - sizeof(data_bytes));
  const absl::StatusOr<tenor::SafetensorsHeader> header =
      tenor::ParseSafetensorsHeader(text, data_bytes);
  if (!header.ok()) return 0;
  tenor::CheckCover(*header, data_bytes);
  tenor::CheckWrittenAgain(*header, data_bytes);
  return 0;
}

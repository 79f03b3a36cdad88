#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/check.h"
#include "ops/codec/codec.h"

// Input: one byte codec number, one byte of elements too many or too few (biased by 128), payload.
// Any payload decodes or is refused; what decodes has the bits of DecodeAdd on zeros, and what is
// finite survives being encoded and decoded once more.

namespace tenor {
namespace {

size_t ElementsThatFit(CodecId codec, size_t bytes) {
  const size_t none = EncodedSize(codec, 0);
  const size_t each = EncodedSize(codec, 1) - none;
  return each == 0 || bytes < none ? 0 : (bytes - none) / each;
}

void CheckDecoded(CodecId codec, std::span<const std::byte> payload, std::vector<float> decoded) {
  std::vector<float> sum(decoded.size(), 0.0f);
  CHECK(DecodeAdd(codec, payload, sum).ok());
  for (size_t i = 0; i < sum.size(); ++i) CHECK(sum[i] == decoded[i] || decoded[i] != decoded[i]);
  std::vector<std::byte> again;
  if (!Encode(codec, decoded, {}, 1.0f, 0, &again)) return;
  CHECK(Decode(codec, again, sum).ok());
  for (const float value : sum) CHECK(value - value == 0.0f);
}

}  // namespace
}  // namespace tenor

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 2) return 0;
  const tenor::CodecId codec = static_cast<tenor::CodecId>(data[0]);
  const std::span<const std::byte> payload =
      std::as_bytes(std::span<const uint8_t>(data, size)).subspan(2);
  const size_t elements = tenor::ElementsThatFit(codec, payload.size()) + data[1];
  std::vector<float> decoded(elements < 128 ? 0 : elements - 128);
  if (tenor::Decode(codec, payload, decoded).ok()) {
    tenor::CheckDecoded(codec, payload, std::move(decoded));
  }
  return 0;
}

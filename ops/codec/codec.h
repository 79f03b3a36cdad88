#ifndef TENOR_OPS_CODEC_CODEC_H_
#define TENOR_OPS_CODEC_CODEC_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

// Codecs turn the FP32 elements of one chunk into the payload of one frame and back. They are pure
// functions: no state, no clock, no randomness but the seed. All are thread-safe, and every
// processor computes the same bits.
//
// Formats, all little-endian:
//   fp32   4 n bytes: the elements as they are
//   fp16   2 + 2 n bytes: one power-of-two scale and n halves (ops/codec/fp16.h)

namespace tenor {

// The numbers are part of the wire and of manifests: never reused, never changed.
enum class CodecId : uint8_t {
  kFp32 = 1,  // exact
  kFp16 = 2,  // about 11 significant bits
};

// "fp32", "fp16"; "unknown" for a number that is no codec.
absl::string_view CodecName(CodecId codec);

// The codec of that name, in lower case. InvalidArgument lists the names that exist.
absl::StatusOr<CodecId> ParseCodec(absl::string_view name);

// The codec of that number, as it comes from the wire or a manifest. InvalidArgument if none has
// it.
absl::StatusOr<CodecId> CodecFromNumber(uint32_t number);

// True when the error of an encoding is kept and added to the next gradient of the same worker.
bool KeepsResidual(CodecId codec);

// Bytes of the payload of `elements` elements. REQUIRES: `elements` is at most 2^60.
size_t EncodedSize(CodecId codec, size_t elements);

// Encodes a = g + n q.
//   g     in: the gradient, summed over n samples; out: a (Settle needs it)
//   q     the residual per sample; empty means 0, and then g stays untouched
//   seed  for codecs that round at random; fp32 and fp16 ignore it
//   out   resized to EncodedSize
// Returns whether all of a is finite. If not, the bytes still decode, to something that is not
// finite in the same places, but a worker pushes poison in their stead.
// REQUIRES: q is empty or as long as g.
bool Encode(CodecId codec, std::span<float> g, std::span<const float> q, float n, uint64_t seed,
            std::vector<std::byte>* out);

// The same into memory of the caller. REQUIRES: out.size() == EncodedSize(codec, g.size()).
bool EncodeInto(CodecId codec, std::span<float> g, std::span<const float> q, float n, uint64_t seed,
                std::span<std::byte> out);

// Decodes a payload of exactly out.size() elements. `bytes` need no alignment and must not overlap
// `out`. InvalidArgument, with nothing written: the length is not EncodedSize(codec, out.size()),
// a scale is out of range, or the codec is unknown. Elements may be infinite or NaN.
absl::Status Decode(CodecId codec, std::span<const std::byte> bytes, std::span<float> out);

// sum[i] += element i: the bits of Decode followed by an addition, in one pass. Errors as Decode.
absl::Status DecodeAdd(CodecId codec, std::span<const std::byte> bytes, std::span<float> sum);

// After `bytes`, the encoding of a, was applied: brings the residual per sample up to date. A codec
// that keeps none (all of them so far) sets q := 0; one that does sets
// q := (a - decode(bytes)) / n. REQUIRES: a is as long as q, or q is empty: then nothing happens.
void Settle(CodecId codec, std::span<const float> a, std::span<const std::byte> bytes, float n,
            std::span<float> q);

}  // namespace tenor

#endif  // TENOR_OPS_CODEC_CODEC_H_

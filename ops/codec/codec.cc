#include "ops/codec/codec.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/check.h"
#include "ops/codec/elementwise.h"
#include "ops/codec/fp16.h"
#include "ops/codec/fp32.h"
#include "ops/cpu/instruction_set.h"

namespace tenor {
namespace {

constexpr uint32_t kInfinityBits = 0x7f800000;
constexpr CodecId kCodecs[] = {CodecId::kFp32, CodecId::kFp16};
// Elements that stay in the first-level cache while several passes go over them.
constexpr size_t kBlockElements = 4096;

absl::Status UnknownCodec(uint32_t number) {
  return absl::InvalidArgumentError(absl::StrCat("codec number ", number,
                                                 " is unknown: this build has fp32 (1) and "
                                                 "fp16 (2); the sender is of another version"));
}

// Adds the residual and returns the peak of the sum, block by block.
uint32_t AddResidual(InstructionSet set, std::span<const float> q, float n, std::span<float> g) {
  uint32_t peak = 0;
  for (size_t begin = 0; begin < g.size(); begin += kBlockElements) {
    const size_t count = std::min(kBlockElements, g.size() - begin);
    const std::span<float> block = g.subspan(begin, count);
    if (!q.empty()) AddScaled(set, n, q.subspan(begin, count), block);
    peak = std::max(peak, PeakMagnitudeBits(set, block));
  }
  return peak;
}

absl::Status CheckLength(CodecId codec, std::span<const std::byte> bytes, size_t elements) {
  if (bytes.size() == EncodedSize(codec, elements)) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      CodecName(codec), " payload has ", bytes.size(), " bytes, but ", elements, " elements take ",
      EncodedSize(codec, elements), ": it was cut or belongs to another chunk"));
}

absl::Status CheckFp16Exponent(std::span<const std::byte> bytes) {
  if (Fp16ReadExponent(bytes).has_value()) return absl::OkStatus();
  int16_t exponent;
  std::memcpy(&exponent, bytes.data(), sizeof(exponent));
  return absl::InvalidArgumentError(absl::StrCat("fp16 payload has scale exponent ", exponent,
                                                 ", outside ", kFp16MinExponent, "..",
                                                 kFp16MaxExponent, ": it is damaged"));
}

absl::Status CheckPayload(CodecId codec, std::span<const std::byte> bytes, size_t elements) {
  switch (codec) {
    case CodecId::kFp32:
      return CheckLength(codec, bytes, elements);
    case CodecId::kFp16: {
      absl::Status length = CheckLength(codec, bytes, elements);
      return length.ok() ? CheckFp16Exponent(bytes) : length;
    }
  }
  return UnknownCodec(static_cast<uint32_t>(codec));
}

}  // namespace

absl::string_view CodecName(CodecId codec) {
  switch (codec) {
    case CodecId::kFp32:
      return "fp32";
    case CodecId::kFp16:
      return "fp16";
  }
  return "unknown";
}

absl::StatusOr<CodecId> ParseCodec(absl::string_view name) {
  for (const CodecId codec : kCodecs) {
    if (name == CodecName(codec)) return codec;
  }
  return absl::InvalidArgumentError(
      absl::StrCat("codec \"", name, "\" is unknown: choose fp32 or fp16"));
}

absl::StatusOr<CodecId> CodecFromNumber(uint32_t number) {
  for (const CodecId codec : kCodecs) {
    if (number == static_cast<uint32_t>(codec)) return codec;
  }
  return UnknownCodec(number);
}

bool KeepsResidual(CodecId codec) {
  switch (codec) {
    case CodecId::kFp32:
    case CodecId::kFp16:
      return false;
  }
  return false;
}

size_t EncodedSize(CodecId codec, size_t elements) {
  switch (codec) {
    case CodecId::kFp32:
      return Fp32EncodedSize(elements);
    case CodecId::kFp16:
      return Fp16EncodedSize(elements);
  }
  return 0;
}

bool EncodeInto(CodecId codec, std::span<float> g, std::span<const float> q, float n,
                uint64_t /*seed*/, std::span<std::byte> out) {
  CHECK(q.empty() || q.size() == g.size());
  CHECK_EQ(out.size(), EncodedSize(codec, g.size()));
  const InstructionSet set = BestInstructionSet();
  const uint32_t peak = AddResidual(set, q, n, g);
  switch (codec) {
    case CodecId::kFp32:
      Fp32Encode(g, out);
      break;
    case CodecId::kFp16:
      Fp16Encode(set, g, peak, out);
      break;
  }
  return peak < kInfinityBits;
}

bool Encode(CodecId codec, std::span<float> g, std::span<const float> q, float n, uint64_t seed,
            std::vector<std::byte>* out) {
  out->resize(EncodedSize(codec, g.size()));
  return EncodeInto(codec, g, q, n, seed, *out);
}

absl::Status Decode(CodecId codec, std::span<const std::byte> bytes, std::span<float> out) {
  absl::Status status = CheckPayload(codec, bytes, out.size());
  if (!status.ok()) return status;
  switch (codec) {
    case CodecId::kFp32:
      Fp32Decode(bytes, out);
      break;
    case CodecId::kFp16:
      Fp16Decode(BestInstructionSet(), bytes, out);
      break;
  }
  return absl::OkStatus();
}

absl::Status DecodeAdd(CodecId codec, std::span<const std::byte> bytes, std::span<float> sum) {
  absl::Status status = CheckPayload(codec, bytes, sum.size());
  if (!status.ok()) return status;
  switch (codec) {
    case CodecId::kFp32:
      Fp32DecodeAdd(BestInstructionSet(), bytes, sum);
      break;
    case CodecId::kFp16:
      Fp16DecodeAdd(BestInstructionSet(), bytes, sum);
      break;
  }
  return absl::OkStatus();
}

void Settle(CodecId codec, std::span<const float> /*a*/, std::span<const std::byte> /*bytes*/,
            float /*n*/, std::span<float> q) {
  switch (codec) {
    case CodecId::kFp32:
    case CodecId::kFp16:
      std::fill(q.begin(), q.end(), 0.0f);
      break;
  }
}

}  // namespace tenor

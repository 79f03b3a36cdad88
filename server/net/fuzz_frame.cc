#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/check.h"
#include "server/net/frame.h"
#include "server/net/wire.h"

// Bytes of a hostile peer as a frame: nothing trips, and what parses says the same when it is
// written and read again. The first byte is the size of the pieces in which the rest arrives.

namespace {

std::vector<tenor::Payload> Pieces(std::span<const std::byte> bytes, size_t size) {
  std::vector<tenor::Payload> pieces;
  for (size_t at = 0; at < bytes.size(); at += size) {
    const auto piece = bytes.subspan(at, std::min(size, bytes.size() - at));
    pieces.emplace_back(std::vector<std::byte>(piece.begin(), piece.end()));
  }
  return pieces;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::span<const std::byte> bytes = std::as_bytes(std::span(data + 1, size - 1));
  const auto parsed = tenor::ParseFrame(Pieces(bytes, size_t{1} + data[0]));
  if (!parsed.ok()) return 0;
  CHECK(parsed->frame.payload().empty());
  const std::string header = tenor::FrameHeader(parsed->frame, parsed->payload.size());
  const auto* begin = reinterpret_cast<const std::byte*>(header.data());
  const std::vector<tenor::Payload> again = {
      tenor::Payload(std::vector<std::byte>(begin, begin + header.size())), parsed->payload};
  const auto reread = tenor::ParseFrame(again);
  CHECK(reread.ok());
  CHECK_EQ(reread->payload.size(), parsed->payload.size());
  // Messages either convert or say why not.
  tenor::WorkerFrameFromWire(parsed->frame, parsed->payload.size()).status().IgnoreError();
  tenor::ShardFrameFromWire(parsed->frame, parsed->payload.size()).status().IgnoreError();
  return 0;
}

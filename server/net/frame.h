#ifndef TENOR_SERVER_NET_FRAME_H_
#define TENOR_SERVER_NET_FRAME_H_

#include <cstddef>
#include <span>
#include <string>

#include "absl/status/statusor.h"
#include "base/payload.h"
#include "proto/wire.pb.h"

// A frame of a data stream as bytes (docs/design.md 6): a serialised wire.Frame whose last field is
// the payload, so that the payload is appended to a small header and found again without a copy,
// while any protobuf library reads and writes the same bytes. Pure functions, without a transport.

namespace tenor {

inline constexpr size_t kMaxPayloadBytes = size_t{4} << 20;
// Of any message on any stream, payload included.
inline constexpr size_t kMaxMessageBytes = kMaxPayloadBytes + (size_t{64} << 10);

// What stands in front of `payload_bytes` bytes of payload: `frame` without payload, then the
// payload's tag and length (nothing for an empty payload).
std::string FrameHeader(const wire::Frame& frame, size_t payload_bytes);

struct ParsedFrame {
  wire::Frame frame;  // without payload
  Payload payload;
};

// Reads a frame that came in `pieces`, which are what a transport handed over, in order. A payload
// that lies in one piece shares it; one that spans several is gathered into one buffer. Errors:
// InvalidArgument for what is no Frame, or for more than kMaxMessageBytes or kMaxPayloadBytes.
absl::StatusOr<ParsedFrame> ParseFrame(std::span<const Payload> pieces);

}  // namespace tenor

#endif  // TENOR_SERVER_NET_FRAME_H_

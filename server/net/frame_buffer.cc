#include "server/net/frame_buffer.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "base/check.h"
#include "base/status.h"
#include "grpcpp/support/byte_buffer.h"
#include "grpcpp/support/slice.h"
#include "server/net/wire.h"

namespace tenor {
namespace {

void DeletePayload(void* payload) { delete static_cast<Payload*>(payload); }

grpc::Slice SliceOf(const Payload& payload) {
  auto* share = new Payload(payload);
  // gRPC takes a pointer to bytes that change, and changes none.
  auto* bytes = const_cast<std::byte*>(share->bytes().data());
  return grpc::Slice(bytes, share->size(), DeletePayload, share);
}

}  // namespace

grpc::ByteBuffer FrameToBuffer(const wire::Frame& frame, const Payload& payload) {
  CHECK_LE(payload.size(), kMaxPayloadBytes);
  const std::string header = FrameHeader(frame, payload.size());
  std::vector<grpc::Slice> slices;
  slices.emplace_back(header);
  if (payload.size() != 0) slices.push_back(SliceOf(payload));
  return grpc::ByteBuffer(slices.data(), slices.size());
}

absl::StatusOr<ParsedFrame> FrameFromBuffer(const grpc::ByteBuffer& buffer) {
  // Small slices hold their bytes in themselves: the pieces point into this vector.
  auto slices = std::make_shared<std::vector<grpc::Slice>>();
  if (grpc::Status status = buffer.Dump(slices.get()); !status.ok()) {
    return absl::InvalidArgumentError(status.error_message());
  }
  std::vector<Payload> pieces;
  pieces.reserve(slices->size());
  for (const grpc::Slice& slice : *slices) {
    pieces.emplace_back(slices, std::as_bytes(std::span(slice.begin(), slice.size())));
  }
  return ParseFrame(pieces);
}

grpc::ByteBuffer EncodeFrame(const WorkerToShard& message, const Payload& payload) {
  return FrameToBuffer(ToWire(message), payload);
}

grpc::ByteBuffer EncodeFrame(const ShardToWorker& message, const Payload& payload) {
  return FrameToBuffer(ToWire(message), payload);
}

absl::StatusOr<std::pair<WorkerToShard, Payload>> DecodeWorkerFrame(
    const grpc::ByteBuffer& buffer) {
  TENOR_ASSIGN_OR_RETURN(ParsedFrame parsed, FrameFromBuffer(buffer));
  TENOR_ASSIGN_OR_RETURN(WorkerToShard message,
                         WorkerFrameFromWire(parsed.frame, parsed.payload.size()));
  return std::make_pair(std::move(message), std::move(parsed.payload));
}

absl::StatusOr<std::pair<ShardToWorker, Payload>> DecodeShardFrame(const grpc::ByteBuffer& buffer) {
  TENOR_ASSIGN_OR_RETURN(ParsedFrame parsed, FrameFromBuffer(buffer));
  TENOR_ASSIGN_OR_RETURN(ShardToWorker message,
                         ShardFrameFromWire(parsed.frame, parsed.payload.size()));
  return std::make_pair(std::move(message), std::move(parsed.payload));
}

}  // namespace tenor

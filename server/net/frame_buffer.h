#ifndef TENOR_SERVER_NET_FRAME_BUFFER_H_
#define TENOR_SERVER_NET_FRAME_BUFFER_H_

#include <utility>

#include "absl/status/statusor.h"
#include "base/payload.h"
#include "proto/wire.pb.h"
#include "server/core/messages.h"
#include "server/net/frame.h"

namespace grpc {
class ByteBuffer;
}  // namespace grpc

// Frames in gRPC's buffers, without a copy of the payload. Pure functions.

namespace tenor {

// The buffer holds a share of the payload until gRPC has sent or dropped it.
// REQUIRES: payload.size() <= kMaxPayloadBytes.
grpc::ByteBuffer FrameToBuffer(const wire::Frame& frame, const Payload& payload);

// The payload holds a share of the buffer's slices. Errors of ParseFrame.
absl::StatusOr<ParsedFrame> FrameFromBuffer(const grpc::ByteBuffer& buffer);

// The same with messages. Errors of ParseFrame and FromWire (wire.h).
grpc::ByteBuffer EncodeFrame(const WorkerToShard& message, const Payload& payload);
grpc::ByteBuffer EncodeFrame(const ShardToWorker& message, const Payload& payload);
absl::StatusOr<std::pair<WorkerToShard, Payload>> DecodeWorkerFrame(const grpc::ByteBuffer& buffer);
absl::StatusOr<std::pair<ShardToWorker, Payload>> DecodeShardFrame(const grpc::ByteBuffer& buffer);

}  // namespace tenor

#endif  // TENOR_SERVER_NET_FRAME_BUFFER_H_

#ifndef TENOR_SERVER_NET_WIRE_H_
#define TENOR_SERVER_NET_WIRE_H_

#include <cstddef>

#include "absl/status/statusor.h"
#include "proto/wire.pb.h"
#include "server/core/messages.h"

// The one place where messages between processes are converted from and to proto/wire.proto; used
// by every net room. Pure functions.
//
// FromWire takes what any peer may have sent. It answers InvalidArgument, naming field and value,
// for an empty oneof, an enum's unknown value, a name that is not [A-Za-z0-9._-]{1,128}, a negative
// count or label and an interval that ends before it begins; what it returns needs no further check
// of form. Whether a number is the right one at present is core's to judge.

namespace tenor {

wire::WorkerMessage ToWire(const WorkerMessage& message);
absl::StatusOr<WorkerMessage> FromWire(const wire::WorkerMessage& message);

wire::CoordinatorToWorker ToWire(const CoordinatorToWorker& message);
absl::StatusOr<CoordinatorToWorker> FromWire(const wire::CoordinatorToWorker& message);

wire::Status ToWire(const Status& status);
absl::StatusOr<Status> FromWire(const wire::Status& status);

wire::CoordinatorToShard ToWire(const CoordinatorToShard& message);
absl::StatusOr<CoordinatorToShard> FromWire(const wire::CoordinatorToShard& message);

// Frames of a data stream, without their payload. Of a frame that came, `payload_bytes` is the size
// of its payload: InvalidArgument where the kind has none, or where a poisoned push has one.
wire::Frame ToWire(const WorkerToShard& message);
wire::Frame ToWire(const ShardToWorker& message);
absl::StatusOr<WorkerToShard> WorkerFrameFromWire(const wire::Frame& frame, size_t payload_bytes);
absl::StatusOr<ShardToWorker> ShardFrameFromWire(const wire::Frame& frame, size_t payload_bytes);

}  // namespace tenor

#endif  // TENOR_SERVER_NET_WIRE_H_

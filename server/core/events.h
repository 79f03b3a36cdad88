#ifndef TENOR_SERVER_CORE_EVENTS_H_
#define TENOR_SERVER_CORE_EVENTS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "absl/status/status.h"
#include "proto/spec.pb.h"
#include "server/core/messages.h"
#include "server/core/names.h"

// What a Coordinator is told. The shell turns streams, files and operators into these; each
// completion answers exactly one effect (effects.h) by its operation. Completions may come in any
// order and after any delay; one that is no longer wanted is ignored.

namespace tenor {

// One control stream, numbered by the shell from 1, never reused. Nothing of a stream comes after
// its closing.
struct ConnectionId {
  uint64_t value = 0;
  auto operator<=>(const ConnectionId&) const = default;
};

// One request of an operator, numbered by the shell; 0 = nobody waits for a Reply.
struct RequestId {
  uint64_t value = 0;
  auto operator<=>(const RequestId&) const = default;
};

// ---------------------------------------------------------------- streams

struct WorkerSays {
  ConnectionId connection;
  std::string address;  // of the peer, for Busy and status
  WorkerMessage message;
};
struct WorkerStreamClosed {
  ConnectionId connection;
};
struct ShardSays {
  ConnectionId connection;
  Status status;
};
struct ShardStreamClosed {
  ConnectionId connection;
};

// Every CoordinatorConfig::tick; the only event that moves the core's clock.
struct Tick {};

// ---------------------------------------------------------------- completions

// Of ClaimLineage. `error` not OK: nothing was claimed (no usable base, or a disk error).
struct Claimed {
  OperationId operation;
  absl::Status error;
  Lineage lineage = 0;
  CheckpointName base;                 // all zero = version 0
  std::optional<spec::Record> record;  // of the base's manifest; absent for version 0
  spec::Tunables tunables;             // as written into the claim, all fields set
};
// Of ReadClaim: the largest lineage that has a file, with or without a base.
struct ClaimRead {
  OperationId operation;
  absl::Status error;
  Lineage newest = 0;
};
struct TunablesWritten {
  OperationId operation;
  absl::Status error;
};
struct ManifestWritten {
  OperationId operation;
  absl::Status error;
};
struct DamagedRenamed {
  OperationId operation;
  absl::Status error;
};

// ---------------------------------------------------------------- operators

// `tenor set`. at_step 0 = as soon as possible.
struct SetTunables {
  RequestId request;
  spec::Tunables change;
  Version at_step = 0;
  bool dry_run = false;
};
// `tenor stop`, and SIGTERM of server 0: cut a checkpoint, then Done; the record stays un-ended.
struct StopRun {
  RequestId request;
  std::string reason;
};
struct CheckpointNow {
  RequestId request;
};
struct EvictMember {
  RequestId request;
  std::string name;
};

using Event = std::variant<WorkerSays, WorkerStreamClosed, ShardSays, ShardStreamClosed, Tick,
                           Claimed, ClaimRead, TunablesWritten, ManifestWritten, DamagedRenamed,
                           SetTunables, StopRun, CheckpointNow, EvictMember>;

}  // namespace tenor

#endif  // TENOR_SERVER_CORE_EVENTS_H_

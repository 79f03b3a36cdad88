#ifndef TENOR_SERVER_CORE_EFFECTS_H_
#define TENOR_SERVER_CORE_EFFECTS_H_

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "proto/spec.pb.h"
#include "server/core/events.h"
#include "server/core/messages.h"
#include "server/core/names.h"

// What a Coordinator asks for. The shell carries effects out in the order of the list; those with
// an operation run in the background and are answered by the event of the same name (events.h).

namespace tenor {

// Messages to a connection that is closed are dropped.
struct ToWorker {
  ConnectionId connection;
  CoordinatorToWorker message;
};
struct ToShard {
  ConnectionId connection;
  int32_t shard = 0;  // as the peer calls itself
  CoordinatorToShard message;
};

// Claim a lineage (docs/protocol.md 1), answered by Claimed: create lineage/<newest + 1>
// exclusively (taken: try the next), THEN read all other claims and manifests, ChooseBase
// (base_choice.h), write {lineage, base, tunables} into the created file, durably. `initial` are
// the tunables where no earlier claim holds any.
struct ClaimLineage {
  OperationId operation;
  spec::Tunables initial;
};
// Answered by ClaimRead.
struct ReadClaim {
  OperationId operation;
};
// Replace the tunables in the claim of `lineage`, durably; answered by TunablesWritten. The core
// reads the newest claim before and after.
struct WriteTunables {
  OperationId operation;
  Lineage lineage = 0;
  CheckpointName base;
  spec::Tunables tunables;  // all fields set
};
// Write MANIFEST.textproto of a checkpoint whose files are durable: temporary file, fsync, rename,
// fsync of folder and parent; answered by ManifestWritten. The core reads the newest claim before
// and after. The shell adds what it knows (job, layout, hashes, wall time).
struct WriteManifest {
  OperationId operation;
  CheckpointName checkpoint;
  spec::Record record;
  std::vector<SavedFile> files;  // index = shard
};
// Rename the folder of a checkpoint that could not be loaded to *.damaged; answered by
// DamagedRenamed.
struct RenameDamaged {
  OperationId operation;
  CheckpointName checkpoint;
};
// List the complete checkpoints and delete CheckpointsToDelete (prune.h). No answer.
struct Prune {
  int32_t keep_checkpoints = 1;
  int64_t keep_every = 0;
  CheckpointName base;    // of the present lineage, never deleted
  CheckpointName newest;  // just written; nothing larger is touched
};

// Answer to an operator. Errors: InvalidArgument (the sentence says why), NotFound (no such
// member), FailedPrecondition (the run is over), Unavailable (try again), Aborted (a save failed).
struct Reply {
  RequestId request;
  absl::Status status;
  std::string sentence;       // where status is OK
  Version from_step = 0;      // SetTunables: every round that computes on this version or later
  spec::Tunables accepted;    // SetTunables: all fields set
  CheckpointName checkpoint;  // CheckpointNow
};

// One line of the event log. `kind` is one of those in docs/formats.md.
struct Note {
  absl::string_view kind;  // static storage
  std::string who;         // member or "server K"; may be empty
  std::string reason;
  std::string detail;
  Label label;
  Version step = 0;
  bool alarm = false;  // an operator should look
};

// One verdict, for metrics and `watch`.
struct StepDone {
  Label label;
  VerdictKind verdict = VerdictKind::kVoid;
  Version version = 0;        // after the verdict
  double loss = 0;            // mean, nats a sample; of the finite reports
  double learning_rate = 0;   // 0 unless applied
  int64_t samples = 0;        // of this round
  int64_t total_samples = 0;  // applied, of the run
  double gradient_norm = 0;   // of the mean gradient, before clipping
  double coefficient = 1;     // of clipping
  int32_t loss_scale_log2 = 0;
  int32_t accumulation_steps = 1;
  int32_t members = 0;
  int32_t weight = 0;
  bool flush = false;
  std::vector<Lease> dropped;  // samples of a drop
  std::vector<Member> view;
};

// The process ends with this code (docs/operations.md) after what was asked before it. Nothing
// follows.
struct Exit {
  int code = 0;
  std::string sentence;
};

using Effect = std::variant<ToWorker, ToShard, ClaimLineage, ReadClaim, WriteTunables,
                            WriteManifest, RenameDamaged, Prune, Reply, Note, StepDone, Exit>;

}  // namespace tenor

#endif  // TENOR_SERVER_CORE_EFFECTS_H_

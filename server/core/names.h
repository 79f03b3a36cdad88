// Names of the protocol (docs/protocol.md section 1) as strong, comparable values.
#ifndef TENOR_SERVER_CORE_NAMES_H_
#define TENOR_SERVER_CORE_NAMES_H_

#include <compare>
#include <cstdint>
#include <string>

namespace tenor {

// Counts starts of the coordinator and rollbacks.
using Lineage = int64_t;
// Counts verdicts within a lineage.
using Round = int64_t;
// Counts memberships within a lineage.
using View = int64_t;
// Applied updates; belongs to the weights.
using Version = int64_t;

// One attempt of one round. Never used twice.
struct Label {
  Lineage lineage = 0;
  Round round = 0;
  View view = 0;
  auto operator<=>(const Label&) const = default;
};

// Drawn at random by a process at its start; 0 = none. Tells two processes of one name apart.
struct ProcessId {
  uint64_t value = 0;
  auto operator<=>(const ProcessId&) const = default;
};

// One seat of a name: (lineage << 32 | counter) of the coordinator that granted it; 0 = none.
struct Incarnation {
  uint64_t value = 0;
  auto operator<=>(const Incarnation&) const = default;
};

// One asynchronous action that core asked for. Unique within a process.
struct OperationId {
  uint64_t value = 0;
  auto operator<=>(const OperationId&) const = default;
};

// A buffer of the runner that core orders but never reads; 0 = none.
struct BufferId {
  uint64_t value = 0;
  auto operator<=>(const BufferId&) const = default;
};

// Identity of a checkpoint is (lineage, round). All zero = version 0, a function of the JobSpec.
struct CheckpointName {
  Lineage lineage = 0;
  Round round = 0;
  Version version = 0;
  auto operator<=>(const CheckpointName&) const = default;
};

// Chunks [0, count) of the flat vector; chunk c lives on server c mod K.
using ChunkNumber = int32_t;

}  // namespace tenor

#endif  // TENOR_SERVER_CORE_NAMES_H_

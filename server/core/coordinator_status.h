#ifndef TENOR_SERVER_CORE_COORDINATOR_STATUS_H_
#define TENOR_SERVER_CORE_COORDINATOR_STATUS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "proto/spec.pb.h"
#include "server/core/messages.h"
#include "server/core/names.h"

// A coordinator's state as others may see it: for `tenor status`, metrics, readiness and tests.
// Plain values.

namespace tenor {

enum class CoordinatorState {
  kClaiming,
  kInstalling,
  kWaiting,  // between rounds: members are missing, or paused, or regrouping
  kCollecting,
  kSuspended,  // a round is open, its members are too few
  kNorms,
  kEnding,  // the last checkpoint is being saved
  kDone,
  kExited,
};
// "claiming", "installing", ...
absl::string_view StateName(CoordinatorState state);

struct SeatStatus {
  std::string name;
  Incarnation incarnation;
  std::string address;
  std::string state;  // "in view", "joining", "waiting", "detached", "penalty"
  absl::Duration heard_ago;
  int32_t weight = 1;
  bool in_view = false;
  bool reported = false;
  double compute_seconds = 0;
  double wait_seconds = 0;
};

struct ShardStatus {
  std::string address;
  bool known = false;  // a process has the seat
  bool stream_open = false;
  absl::Duration heard_ago;
  Status last;
  std::string problem;  // load or save error; empty = none
};

struct CoordinatorStatus {
  CoordinatorState state = CoordinatorState::kClaiming;
  std::string reason;  // why no step is made; empty while steps are made
  bool ready = false;  // the job makes steps
  Label label;         // of the open round, else of the newest
  Version version = 0;
  Round last_verdict = 0;
  CheckpointName base;
  spec::Record record;      // as a cut would copy it now, without its ledger
  spec::Tunables accepted;  // newest, all fields set
  spec::Tunables pending;   // accepted step tunables that no round has yet; changed fields only
  std::vector<SeatStatus> seats;                    // in order of names
  std::vector<ShardStatus> shards;                  // index = shard
  std::vector<std::string> missing;                 // members of the record that are not back
  std::optional<CheckpointName> newest_checkpoint;  // durable, of this lineage or its base
  absl::Duration newest_checkpoint_age;             // since this process saw it
  bool save_in_flight = false;
  int64_t applied = 0;  // verdicts of this process
  int64_t skipped = 0;
  int64_t dropped = 0;
  int64_t voided = 0;
  int64_t dropped_samples = 0;
  int64_t views = 0;
  int64_t evictions = 0;  // seats lost by timeout or deadline
  int64_t lineages = 0;   // claimed by this process
};

}  // namespace tenor

#endif  // TENOR_SERVER_CORE_COORDINATOR_STATUS_H_

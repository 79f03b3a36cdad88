#ifndef TENOR_SERVER_CORE_COORDINATOR_CONFIG_H_
#define TENOR_SERVER_CORE_COORDINATOR_CONFIG_H_

#include <cstdint>
#include <string>

#include "absl/time/time.h"
#include "proto/spec.pb.h"
#include "server/core/messages.h"
#include "server/core/names.h"

// What a coordinator knows at its start and never changes. Plain values, thread-compatible.

namespace tenor {

struct CoordinatorConfig {
  spec::JobSpec job;        // validated, defaults filled in
  ProcessId process;        // drawn at random at the process's start; makes nonces fresh
  int32_t shards = 1;       // K
  ChunkNumber chunks = 1;   // of the flat vector
  int32_t tensors = 0;      // of the layout; only read where use_norms is set
  Hashes hashes;            // that every worker and every other server must hold
  std::string run_nonce;    // every server must have read this in the run folder; empty = any
  bool use_norms = false;   // LAMB: a Norms phase between verdict and apply
  bool scale_loss = false;  // compute type with a dynamic loss scale (FP16)

  absl::Duration tick = absl::Milliseconds(50);  // expected period of Tick
  // The holder of a name was heard within this: a newcomer is Busy.
  absl::Duration name_hold = absl::Seconds(1);
  // A closed control stream may come back for so long before its seat is lost; 0 = at once.
  absl::Duration reconnect_grace = absl::Milliseconds(500);
  // A server is silent for so long before another process of its index counts.
  absl::Duration server_grace = absl::Seconds(2);
  // After all shards are installed, wait so long for the members named in the base's record.
  absl::Duration regroup_window = absl::Seconds(5);
  absl::Duration claim_read_period = absl::Seconds(2);
  absl::Duration install_retry = absl::Seconds(2);  // after a load error that is not damage
  absl::Duration save_retry = absl::Seconds(2);     // after a failed save that must succeed
  // Too few members for so long: what was applied since the newest checkpoint is saved.
  absl::Duration idle_cut_after = absl::Seconds(5);
  // The deadline blames nobody unless every shard was heard within this.
  absl::Duration shard_fresh = absl::Milliseconds(500);
  // The first checkpoint of a run, where checkpoint_every would come later.
  absl::Duration first_checkpoint_after = absl::Minutes(10);
  // A run that has no verdict after this exits 4; zero = waits for ever.
  absl::Duration start_deadline = absl::ZeroDuration();
  // In state Done, Exit follows when every stream is closed or after this; infinite = never. Where
  // the base was ended already, always after this: members and servers that start too are told.
  absl::Duration done_linger = absl::Seconds(5);
  int32_t max_members = 100000;  // seats; a Join beyond is refused
};

}  // namespace tenor

#endif  // TENOR_SERVER_CORE_COORDINATOR_CONFIG_H_

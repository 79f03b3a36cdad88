#ifndef TENOR_SERVER_CORE_TUNABLES_H_
#define TENOR_SERVER_CORE_TUNABLES_H_

#include <vector>

#include "absl/status/status.h"
#include "proto/spec.pb.h"
#include "server/core/names.h"

// What may change while a run goes on (docs/protocol.md 5).

namespace tenor {

// `tunables` with the defaults of spec.proto where a field is absent.
spec::Tunables WithDefaults(const spec::Tunables& tunables);

// Errors: InvalidArgument, naming field, value and range.
absl::Status CheckTunables(const spec::Tunables& tunables);

// The accepted values, and those of them that wait for their step.
//
// Step tunables (accumulation_steps, the codecs, learning_rate_scale, checkpoint_every) are taken
// into a round when it is frozen; all others hold as soon as they are accepted. Thread-compatible.
class TunablesBook {
 public:
  // REQUIRES: all fields set. Everything is in force.
  explicit TunablesBook(const spec::Tunables& accepted);

  // What would be accepted with this change.
  spec::Tunables Merged(const spec::Tunables& change) const;

  // at_step 0: from the next frozen round on, else in every round that computes on a version
  // >= at_step.
  void Accept(const spec::Tunables& change, Version at_step);

  // A round on `version` is being frozen: takes what is due and returns the values of that round.
  const spec::Tunables& FreezeAt(Version version);

  // Newest accepted, what waits included.
  const spec::Tunables& accepted() const { return accepted_; }
  // Step tunables of the newest frozen round, liveness tunables as accepted.
  const spec::Tunables& in_force() const { return in_force_; }
  // Only the fields that still wait.
  spec::Tunables Pending() const;

 private:
  struct Waiting {
    Version from = 0;
    spec::Tunables change;  // step tunables only
  };

  spec::Tunables accepted_;
  spec::Tunables in_force_;
  std::vector<Waiting> waiting_;  // in order of acceptance
};

}  // namespace tenor

#endif  // TENOR_SERVER_CORE_TUNABLES_H_

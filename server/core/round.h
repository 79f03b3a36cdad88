#ifndef TENOR_SERVER_CORE_ROUND_H_
#define TENOR_SERVER_CORE_ROUND_H_

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "absl/time/time.h"
#include "proto/spec.pb.h"
#include "server/core/messages.h"
#include "server/core/names.h"

// One open round (docs/protocol.md 2, 3) and the verdict on the last one. Plain values with a few
// questions; thread-compatible.

namespace tenor {

// Frozen with the round.
struct RoundTerms {
  Version version = 0;
  spec::Tunables tunables;
  spec::Codec::Id push_codec = spec::Codec::FP32;  // a flush overrides the tunable
  bool flush = false;                              // on apply, this round makes a cut
  bool rebuild_lanes = false;
  int32_t loss_scale_log2 = 0;
  int64_t skips = 0;
};

struct OpenRound {
  RoundTerms terms;
  Label label;
  std::vector<Member> view;  // rank order
  Open open;                 // as shards are told
  std::map<Incarnation, std::vector<Lease>> leases;
  std::map<Incarnation, std::vector<Lease>> hints;

  // Of the present view only.
  std::map<Incarnation, Report> reports;
  std::map<int32_t, std::vector<double>> ready;  // shard -> sums of squares, per own chunk
  bool shards_finite = true;
  std::set<Incarnation> computed;         // gradient whole, by heartbeat or Report
  std::optional<absl::Duration> half_at;  // when half of the weight had computed

  const Member* Find(Incarnation incarnation) const;
  bool Reported(Incarnation incarnation) const { return reports.count(incarnation) > 0; }
  bool Complete(int32_t shards) const;
  void NoteComputed(Incarnation incarnation, absl::Duration clock);
  // A new view: reports and ready shards are void.
  void ForgetView();
};

int64_t WeightOf(std::span<const Member> members);

// The verdict that shards have to carry out; finish.label is its name.
struct Decided {
  Decide decide;
  Finish finish;
  bool needs_norms = false;                           // Decide goes first
  bool finish_enabled = false;                        // Finish may be sent
  std::map<int32_t, std::vector<PartialNorm>> norms;  // by shard
};

}  // namespace tenor

#endif  // TENOR_SERVER_CORE_ROUND_H_

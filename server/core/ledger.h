#ifndef TENOR_SERVER_CORE_LEDGER_H_
#define TENOR_SERVER_CORE_LEDGER_H_

#include <cstdint>
#include <deque>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "proto/spec.pb.h"
#include "server/core/data_shape.h"
#include "server/core/messages.h"

namespace tenor {

// The order in which a pass deals its segments: a permutation of [0, segments) drawn from
// (seed, pass). Pure.
std::vector<int64_t> PassOrder(uint64_t seed, int64_t pass, int64_t segments);

// Who reads which samples, and which are committed (docs/protocol.md 2, 3, 4; spec::Ledger is the
// durable form).
//
// A segment is fresh, open or finished. An open one is held by one lane of one member, or returned.
// A lane reads its open segments in the order in which it took them. Dealing is a pure function of
// ledger, members and shape: called again without a commit it gives the same leases.
//
// Thread-compatible.
class Ledger {
 public:
  // REQUIRES: CheckDurable(data, durable) is OK.
  Ledger(const DataShape& data, const spec::Ledger& durable);

  // Whether a ledger read from a file fits the data. Errors: DataLoss, with the entry.
  static absl::Status CheckDurable(const DataShape& data, const spec::Ledger& durable);

  // A view was made: members outside it return what they hold, and so do lanes that a member with
  // less weight has no more.
  void ReturnOutside(std::span<const Member> view, int32_t lanes);

  // The leases of one round, lane by lane: first what the lane holds, then returned segments
  // (lowest (pass, segment) first), then fresh ones. A short last slot of a segment uses up its
  // slot. At most one lease a segment. Fewer samples, or none, where the data ends.
  std::vector<Lease> Deal(const Member& member, const DealShape& shape);

  // How each lane's last segment goes on after `leases`, at most one round further.
  std::vector<Lease> Hints(std::span<const Lease> leases, const DealShape& shape) const;

  // Starts anew from a durable form of the same data. REQUIRES: as the constructor.
  void Restore(const spec::Ledger& durable);

  // Moves committed positions. REQUIRES: each lease was dealt to this member since the last commit
  // of its segment, perhaps with a larger `to`.
  void Commit(const std::string& member, std::span<const Lease> consumption);

  // All passes are committed; never for endless data.
  bool Exhausted() const;

  int64_t committed_samples() const { return committed_; }
  spec::Ledger Durable() const;

 private:
  struct OpenSegment {
    int64_t pass = 0;
    int64_t segment = 0;
    int64_t position = 0;
  };
  using Lane = std::deque<OpenSegment>;

  void Return(Lane* lane);
  // Takes the next segment for `lane`; false where there is none.
  bool Take(Lane* lane);
  bool TakeFresh(Lane* lane);
  // The samples of `open` for at most *slots slots; uses them up.
  Lease Use(const OpenSegment& open, int32_t lane, const DealShape& shape, int64_t* slots) const;

  DataShape data_;
  int64_t pass_ = 0;
  int64_t dealt_ = 0;  // of pass_
  int64_t committed_ = 0;
  std::vector<int64_t> order_;  // of pass_; empty until a fresh segment is taken
  std::map<std::string, std::vector<Lane>> held_;
  std::map<std::pair<int64_t, int64_t>, int64_t> returned_;  // (pass, segment) -> position
};

// Whether a report's consumption fits what was dealt: each a part, from its beginning, of one
// lease, none twice, `samples` in all. Errors: InvalidArgument, with the first that does not fit.
absl::Status CheckConsumption(std::span<const Lease> dealt, std::span<const Lease> consumption,
                              int64_t samples);

}  // namespace tenor

#endif  // TENOR_SERVER_CORE_LEDGER_H_

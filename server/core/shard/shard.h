#ifndef TENOR_SERVER_CORE_SHARD_SHARD_H_
#define TENOR_SERVER_CORE_SHARD_SHARD_H_

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/time/time.h"
#include "server/core/shard/checkpoint_cut.h"
#include "server/core/shard/events.h"
#include "server/core/shard/operations.h"
#include "server/core/shard/pull_service.h"
#include "server/core/shard/round_sums.h"

namespace tenor {

// One parameter server's side of docs/protocol.md (sections 2 to 4 and table 9.4) as a
// deterministic state machine: it orders sums, applies, snapshots and pulls by name and never sees
// a byte, a clock, a thread or a socket. Single-threaded; same events, same effects.
//
// Effects are to be started in the order of the list; they may end in any order. Whatever a peer
// sends is answered or ignored, never a CHECK; a completion of an unknown operation is ignored.
// After Exit it goes on, so that what is in flight can end.
class Shard {
 public:
  explicit Shard(shard::Config config);

  // now: monotonic, since any fixed point; never falls.
  std::vector<shard::Effect> Handle(absl::Duration now, const shard::Event& event);

  // What the coordinator is told; also for metrics and health.
  Status status() const;

 private:
  void On(const shard::CoordinatorConnected& event);
  void On(const shard::CoordinatorLost& event);
  void On(const shard::OrderFrom& event);
  void On(const shard::HelloArrived& event);
  void On(const shard::PullArrived& event);
  void On(const shard::PushArrived& event);
  void On(const shard::StreamClosed& event);
  void On(const shard::ReduceDone& event);
  void On(const shard::NormsDone& event);
  void On(const shard::ApplyDone& event);
  void On(const shard::EncodeDone& event);
  void On(const shard::SnapshotDone& event);
  void On(const shard::SaveDone& event);
  void On(const shard::SaveFailed& event);
  void On(const shard::LoadDone& event);
  void On(const shard::LoadFailed& event);
  void On(const shard::SendDone& event);
  void On(const shard::Tick& event);
  void On(const shard::WantsToLeave& event);

  // Orders of the present lineage or a later one.
  void Obey(const Install& order);
  void Obey(const Open& order);
  void Obey(const Decide& order);
  void Obey(const Finish& order);
  void Obey(const Cut& order);
  void Obey(const Done& order);
  // These come before a coordinator may give orders.
  void Greet(shard::ConnectionId from, const HelloAck& ack);
  void Greet(const Busy& busy);

  void LoadIfDrained();
  void BeginView(const Open& order);
  void CancelStreamsOutside(const std::vector<Member>& view);
  std::optional<int32_t> RankOf(const Push& push) const;
  // What a push gets without a look at its chunk; nothing if it may contribute.
  std::optional<ShardToWorker> AnswerUntaken(const Push& push) const;
  std::string WhyImpossible(const Push& push) const;
  ShardToWorker Contribute(const shard::PushArrived& event, int32_t rank);
  bool ready() const;
  void StartChangeIfPossible();
  void EndRound();
  void CutNow();
  CheckpointName Here() const;

  void SendStatusTo(shard::ConnectionId connection);
  void FindCoordinatorIfSilent();
  void ExitOnce(int code, std::string sentence);

  const shard::Config config_;
  absl::Duration now_;
  std::vector<shard::Effect> effects_;
  bool changed_ = false;  // the coordinator is told at the end of this event
  bool exited_ = false;
  bool wants_to_leave_ = false;

  shard::ConnectionId coordinator_;
  uint64_t nonce_ = 0;
  absl::Duration heard_ = -absl::InfiniteDuration();
  absl::Duration told_ = -absl::InfiniteDuration();
  std::optional<absl::Duration> busy_since_;
  absl::Duration busy_last_;

  Lineage lineage_ = 0;
  ShardPhase phase_ = ShardPhase::kEmpty;
  Install install_;
  OperationId load_;
  LoadErrorKind load_error_ = LoadErrorKind::kNone;
  std::string load_error_text_;

  Open open_;  // label, view and codecs of the newest round
  Round finished_ = -1;
  Version version_ = 0;
  std::vector<PartialNorm> norms_;
  Finish finish_;  // while phase is kApplying
  // A Norms or Apply that waits until nothing reads what it changes.
  std::variant<std::monostate, Decide, Finish> waiting_change_;
  OperationId change_;  // the Norms or Apply in flight of this lineage

  std::map<shard::ConnectionId, std::pair<std::string, Incarnation>> members_;
  shard::Operations operations_;
  shard::RoundSums sums_;
  shard::PullService pulls_;
  shard::CheckpointCut cut_;
};

}  // namespace tenor

#endif  // TENOR_SERVER_CORE_SHARD_SHARD_H_

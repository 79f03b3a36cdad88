#ifndef TENOR_WORKER_SESSION_SESSION_H_
#define TENOR_WORKER_SESSION_SESSION_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "worker/session/contact.h"
#include "worker/session/events.h"
#include "worker/session/pull_set.h"
#include "worker/session/push_set.h"
#include "worker/session/shard_links.h"

namespace tenor {

// A worker's side of docs/protocol.md (sections 2, 3, 6 and 7, table 9.5) as a deterministic state
// machine: it holds the seat, says what to pull, compute, encode, push and report, and what to
// forget. Driven by the shells of worker and node aggregator and by the simulation. No clock,
// thread, socket or payload byte. Single-threaded; same events, same effects. It must be driven
// from a thread that does not compute: heartbeats go out with Tick.
//
// Effects are carried out in the order of the list. Whatever a peer sends is never a CHECK; an
// event of an unknown computation is ignored. After Exit every event is ignored.
class Session {
 public:
  explicit Session(session::Config config);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // now: monotonic, since any fixed point; never falls.
  std::vector<session::Effect> Handle(absl::Duration now, const session::Event& event);

  // For metrics and /readyz.
  bool seated() const { return incarnation_ != Incarnation{}; }
  bool in_round() const { return directive_.has_value(); }  // holds a directive of its lineage
  Label label() const { return in_round() ? directive_->label : Label{lineage_, 0, 0}; }

 private:
  void On(const session::CoordinatorConnected& event);
  void On(const session::CoordinatorLost& event);
  void On(const session::FromCoordinator& event);
  void On(const session::ShardConnected& event);
  void On(const session::ShardLost& event);
  void On(const session::FromShard& event);
  void On(const session::ChunkArrived& event);
  void On(const session::ChunkDecoded& event);
  void On(const session::GradientChunkReady& event);
  void On(const session::Encoded& event);
  void On(const session::ComputeDone& event);
  void On(const session::LocalLoss& event);
  void On(const session::ProgressMade& event);
  void On(const session::LeaveRequested& event);
  void On(const session::Tick& event);

  // From the coordinator, of this lineage.
  void Take(const Granted& message);
  void Take(const Busy& message);
  void Take(const Evicted& message);
  void Take(const HeartbeatAck& message);
  void Take(const Done& message);
  void Take(const Directive& message);

  // From a shard.
  void Answer(int32_t shard, const HelloOk& message);
  void Answer(int32_t shard, const PushAck& message);
  void Answer(int32_t shard, const Stale& message);
  void Answer(int32_t shard, const Retry& message);
  void Answer(int32_t shard, const Gone& message);
  void Answer(int32_t shard, const Refused& message);
  void Answer(int32_t, const Chunk&) {}  // comes as ChunkArrived

  void HearLineage(Lineage lineage);
  void ForgetRound();
  void SetTable(const std::vector<ShardAddress>& table);
  void SettleKept(const Directive& next);
  void HearVersion(Version version);

  // What is due now; after every event.
  void Advance();
  void AdvanceSeat();
  void AdvanceShards();
  void AdvanceWarmth();
  void AdvanceComputing();
  void AdvancePushes();
  void AdvanceReport();

  void BeginComputing();
  void SendHeartbeat();
  bool retracting() const { return retracted_ == label(); }
  bool CountsNow(const Label& label) const;
  void Say(WorkerMessage message);
  void ExitWith(int code, std::string sentence);

  const session::Config config_;
  absl::Duration now_;
  std::vector<session::Effect> effects_;
  bool exited_ = false;
  bool leaving_ = false;

  session::Contact contact_;
  session::ShardLinks links_;
  session::PullSet pulls_;
  session::PushSet pushes_;

  Lineage lineage_ = 0;
  Incarnation incarnation_;                              // none = Away
  absl::Duration seat_due_ = -absl::InfiniteDuration();  // next Join or Heartbeat
  int64_t progress_ = 0;
  int32_t weight_;
  bool warm_ = false;
  Version heard_version_ = -1;  // newest of this lineage; -1 = none yet

  std::optional<Directive> directive_;
  // The gradient of the directive's round, if it is begun.
  session::ComputationId computation_;
  uint64_t last_computation_ = 0;
  bool computing_ = false;
  session::ComputeDone result_;
  std::optional<Label> retracted_;                         // no push under this label
  bool reported_ = false;                                  // under the newest label
  absl::Duration report_due_ = -absl::InfiniteDuration();  // next Report, Retract or Leave
};

}  // namespace tenor

#endif  // TENOR_WORKER_SESSION_SESSION_H_

#ifndef TENOR_SERVER_CORE_COORDINATOR_MACHINE_H_
#define TENOR_SERVER_CORE_COORDINATOR_MACHINE_H_

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "proto/spec.pb.h"
#include "server/core/checkpoint_policy.h"
#include "server/core/coordinator.h"
#include "server/core/coordinator_config.h"
#include "server/core/coordinator_status.h"
#include "server/core/data_shape.h"
#include "server/core/effects.h"
#include "server/core/events.h"
#include "server/core/ledger.h"
#include "server/core/messages.h"
#include "server/core/names.h"
#include "server/core/orders.h"
#include "server/core/round.h"
#include "server/core/save.h"
#include "server/core/scaler.h"
#include "server/core/seats.h"
#include "server/core/shard_table.h"
#include "server/core/tunables.h"
#include "server/core/verdict.h"

namespace tenor {

// The inside of Coordinator: state and one method per event. Only coordinator*.cc include this. The
// states and their events are the table of docs/protocol.md 9.3; each .cc file has its rows:
//   coordinator_lineage.cc    claims, rollback, exit
//   coordinator_clock.cc      the tick: lost seats, deadline, periodic work
//   coordinator_members.cc    joins, heartbeats, leaves, reports
//   coordinator_shards.cc     statuses and orders
//   coordinator_rounds.cc     boundary, views, directives
//   coordinator_verdict.cc    verdicts and norms
//   coordinator_saves.cc      cuts, manifests, the end
//   coordinator_operators.cc  set, stop, checkpoint now, evict
class Coordinator::Machine {
 public:
  explicit Machine(CoordinatorConfig config);

  void Start();
  void Advance(absl::Duration now) {
    now_ = std::max(now_, now);
    ordered_all_ = false;
  }
  std::vector<Effect> TakeEffects();
  bool exited() const { return state_ == CoordinatorState::kExited; }
  CoordinatorStatus Describe() const;

  void On(const WorkerSays& event);
  void On(const WorkerStreamClosed& event);
  void On(const ShardSays& event);
  void On(const ShardStreamClosed& event);
  void On(const Tick& event);
  void On(const Claimed& event);
  void On(const ClaimRead& event);
  void On(const TunablesWritten& event);
  void On(const ManifestWritten& event);
  void On(const DamagedRenamed& event);
  void On(const SetTunables& event);
  void On(const StopRun& event);
  void On(const CheckpointNow& event);
  void On(const EvictMember& event);

 private:
  using State = CoordinatorState;

  // One worker's stream, as a message came on it.
  struct Sender {
    ConnectionId connection;
    std::string address;
  };
  struct SetInFlight {
    enum class Stage { kReadBefore, kWrite, kReadAfter };
    SetTunables request;
    Stage stage = Stage::kReadBefore;
    OperationId operation;
  };

  // Effects.
  OperationId NextOperation() { return {++operations_}; }
  void Say(ConnectionId connection, CoordinatorToWorker message);
  void Order(int32_t shard, CoordinatorToShard message);
  void Log(absl::string_view kind, std::string who, std::string reason, std::string detail = "");
  void Alarm(absl::string_view kind, std::string who, std::string reason, std::string detail = "");
  void Answer(RequestId request, absl::Status status);
  void ExitWith(int code, const std::string& sentence);

  // Lineage.
  void BeginClaim();
  void Rollback(const std::string& reason);
  void DropLineage();
  void StartFrom(const Claimed& claim);
  spec::Record FirstRecord() const;
  absl::Status CheckRecord(const Claimed& claim) const;
  // True, and the process exits, where `heard` is larger than this lineage.
  bool Replaced(Lineage heard, absl::string_view from);
  OperationId ReadTheClaim();
  void OnDamagedBase(const std::string& who, const std::string& why);

  // Clock.
  void MoveClock();
  void WatchClaim();
  void LoseSilentSeats();
  void EnforceDeadline();
  bool Blamed(const Seat& seat) const;
  void CutWhileIdle();
  void CheckStartDeadline();
  void FinishLinger();

  // Members.
  void On(const Sender& sender, const Join& join);
  void On(const Sender& sender, const Heartbeat& heartbeat);
  void On(const Sender& sender, const Report& report);
  void On(const Sender& sender, const Retract& retract);
  void On(const Sender& sender, const Leave& leave);
  void Grant(const Sender& sender, const Join& join);
  void TakeSeat(const Sender& sender, const Heartbeat& heartbeat);
  // Notes a heartbeat of a holder; true where it may now enter a view and could not before.
  bool NoteHeartbeat(const Sender& sender, const Heartbeat& heartbeat, Seat* seat);
  void AnswerHeartbeat(const Sender& sender, const Heartbeat& heartbeat, const Seat& seat);
  void SayDone(ConnectionId connection);
  void Lose(const std::string& name, const std::string& reason);
  void EvictSeat(const std::string& name, const std::string& reason, absl::Duration penalty);
  // A seat or the tunables changed: opens what may be opened now.
  void Retry();

  // Shards.
  void NoteStatus(const ShardSays& event);
  void HandleStatus(int32_t shard);
  void NoteLoadError(int32_t shard);
  void NoteReady(int32_t shard);
  void NoteNorms(int32_t shard);
  void NoteSave(int32_t shard);
  void LetLeave(int32_t shard);
  bool ShardsLeaving() const;
  void OrderShard(int32_t shard);
  void OrderAll();
  Wanted WantedOf(int32_t shard) const;

  // Rounds.
  int64_t MinWeight() const;
  bool Enough(const std::vector<Member>& members) const;
  bool RunsRounds() const {
    return state_ == State::kWaiting || state_ == State::kCollecting ||
           state_ == State::kSuspended || state_ == State::kNorms;
  }
  // In kWaiting: opens the next round, or ends the run, or cuts what was asked for.
  void Boundary();
  bool MayOpen() const;
  bool Regrouped() const;
  void OpenRoundWith(std::vector<Member> view);
  RoundTerms Freeze();
  CutAnswer AskForCut(const spec::Tunables& tunables) const;
  bool FirstCheckpointDue() const;
  void OpenView(std::vector<Member> view);
  void DealLeases();
  // In kCollecting or kSuspended: the same round under a new view, of those who still hold their
  // seats; with all others who may enter where these are too few.
  void ChangeView(const std::string& reason);
  void Suspend(std::vector<Member> view, const std::string& reason);
  void SendDirective(const Member& member);

  // Verdict.
  struct Sums {
    RoundTotals totals;
    double norm = 0;  // of the mean gradient
    bool finite = true;
    double Loss() const {
      return totals.samples == 0 ? 0 : totals.loss_sum / static_cast<double>(totals.samples);
    }
  };
  void DecideIfComplete();
  void DecideRound();
  Sums AddUp() const;
  void SetDecided(VerdictKind verdict, const Sums& sums);
  void Commit(VerdictKind verdict, const Sums& sums);
  std::vector<Lease> Consumption() const;
  void Count(VerdictKind verdict, const Sums& sums);
  void CountVerdict(VerdictKind verdict);
  void CheckEnd(VerdictKind verdict, const Sums& sums);
  void GoOn();
  void FinishNorms();

  // Saves.
  spec::Record RecordNow() const;
  CheckpointName NameNow() const { return {lineage_, record_.round(), record_.version()}; }
  bool NewestIsCurrent() const { return durable_round_ == record_.round(); }
  // What is there now is durable or being saved.
  bool CutIsMade() const;
  void StartSave(bool by_cut);
  // Cuts what is there now, where that is not durable and nothing is being saved.
  void StartCut();
  void AbandonSave(const std::string& why);
  void OnSaveClaimRead(const ClaimRead& event);
  void ReadClaimAgain();
  void WriteTheManifest();
  void CheckpointIsDurable();
  void AnswerCheckpoints(const std::vector<RequestId>& requests, const CheckpointName& name);
  void BeginEnding();
  void ContinueEnding();
  void FinishRun();

  // Operators.
  void StartNextSet();
  void OnSetClaimRead(const ClaimRead& event);
  void EndSet(absl::Status status);
  void DropSets(const absl::Status& status);
  void AcceptSet();
  Version FromStep(Version at_step) const;
  absl::Status CheckSet(const SetTunables& request) const;
  void ReplyToSet(const SetTunables& request, const spec::Tunables& accepted);

  // Status.
  std::string WhyNoStep() const;
  std::string WhyNoServers() const;
  SeatStatus DescribeSeat(const Seat& seat) const;
  ShardStatus DescribeShard(const Peer& peer) const;
  std::vector<std::string> Missing() const;

  // Constant after construction.
  const CoordinatorConfig config_;
  const DataShape data_;
  const ScalerRules scaler_rules_;

  std::vector<Effect> effects_;
  bool ordered_all_ = false;  // in this event; a single order would repeat one of those
  uint64_t operations_ = 0;

  // Time: `now_` is the shell's, `clock_` the core's.
  absl::Duration now_;
  absl::Duration clock_;
  std::optional<absl::Duration> last_tick_;
  int64_t ticks_ = 0;

  State state_ = State::kClaiming;

  // Lineage.
  Lineage lineage_ = 0;
  CheckpointName base_;
  OperationId claim_operation_;   // 0 = none
  OperationId rename_operation_;  // 0 = none
  OperationId watch_operation_;   // 0 = none
  absl::Duration watched_at_;     // by now_
  absl::Duration regroup_until_;

  // Outlive a rollback.
  Seats seats_;
  ShardTable shards_;

  // Die with the lineage, except for what its checkpoints hold.
  spec::Record record_;  // without its ledger
  Ledger ledger_;
  TunablesBook tunables_;
  OpenRound round_;
  View views_ = 0;  // of this lineage
  std::optional<Decided> decided_;
  std::optional<Save> save_;
  Round durable_round_ = 0;  // of the newest durable state: a checkpoint, or version 0
  std::optional<CheckpointName> newest_checkpoint_;
  absl::Duration newest_checkpoint_at_;
  Version cut_version_ = 0;  // lanes are rebuilt where this version is computed on
  absl::Duration no_cut_before_;
  std::optional<absl::Duration> too_few_since_;

  // Operators.
  std::deque<SetTunables> sets_;
  std::optional<SetInFlight> set_;
  bool cut_asked_ = false;
  std::vector<RequestId> checkpoint_requests_;  // not yet in a save
  bool stop_asked_ = false;
  bool stop_failed_ = false;  // exit 1
  std::string stop_reason_;

  absl::Duration done_at_;
  bool end_was_found_ = false;  // in the base: whoever starts with this process is yet to be told
  bool ever_decided_ = false;   // this process gave a verdict, or the base has some
  absl::Duration first_open_at_ = absl::InfiniteDuration();
  CoordinatorStatus counts_;  // only its counters are used
};

}  // namespace tenor

#endif  // TENOR_SERVER_CORE_COORDINATOR_MACHINE_H_

#include "server/core/shard/shard.h"

#include <algorithm>
#include <set>

#include "absl/strings/str_cat.h"

namespace tenor {

using shard::CancelStream;
using shard::Config;
using shard::ConnectionId;
using shard::Effect;
using shard::OperationKind;
using shard::ReleaseBuffer;
using shard::RoundSums;
using shard::ToWorker;

namespace {

Lineage LineageOf(const Open& order) { return order.label.lineage; }
Lineage LineageOf(const Decide& order) { return order.label.lineage; }
Lineage LineageOf(const Finish& order) { return order.label.lineage; }
template <typename Order>
Lineage LineageOf(const Order& order) {
  return order.lineage;
}

}  // namespace

Shard::Shard(Config config)
    : config_(std::move(config)), sums_(config_), pulls_(sums_.chunks(), config_.pull_window) {}

std::vector<Effect> Shard::Handle(absl::Duration now, const shard::Event& event) {
  now_ = now;
  effects_.clear();
  changed_ = false;
  std::visit([this](const auto& e) { On(e); }, event);
  if (changed_) SendStatusTo(coordinator_);
  return std::move(effects_);
}

Status Shard::status() const {
  Status status;
  status.process = config_.process;
  status.shard = config_.shard;
  status.nonce = nonce_;
  status.lineage = lineage_;
  status.phase = phase_;
  status.open = open_.label;
  status.ready = ready();
  status.finite = sums_.finite();
  status.hashes = config_.hashes;
  status.shards = config_.shards;
  status.wants_to_leave = wants_to_leave_;
  if (status.ready) status.square_sums = sums_.square_sums();
  if (phase_ == ShardPhase::kNormsDone) status.norms = norms_;
  status.finished = finished_;
  status.version = version_;
  cut_.Describe(&status);
  if (load_error_ != LoadErrorKind::kNone) status.load_error_lineage = lineage_;
  status.load_error = load_error_;
  status.load_error_text = load_error_text_;
  if (phase_ == ShardPhase::kOpen) {
    for (const int32_t rank : sums_.WaitsFor()) {
      status.waits_for.push_back(open_.view[rank].name);
    }
  }
  status.bytes_held = sums_.bytes_held();
  status.address = config_.address;
  status.run_nonce = config_.run_nonce;
  return status;
}

// ---------------------------------------------------------------- coordinator

void Shard::On(const shard::CoordinatorConnected& event) {
  coordinator_ = event.connection;
  heard_ = now_;
  changed_ = true;
}

void Shard::On(const shard::CoordinatorLost& event) {
  if (event.connection != coordinator_) return;
  coordinator_ = ConnectionId{};
  heard_ = now_;
  effects_.push_back(shard::FindCoordinator{});
}

void Shard::On(const shard::OrderFrom& event) {
  if (event.connection == coordinator_) heard_ = now_;
  if (const auto* refused = std::get_if<Refused>(&event.order)) {
    return ExitOnce(3, refused->sentence);
  }
  if (const auto* ack = std::get_if<HelloAck>(&event.order)) return Greet(event.connection, *ack);
  std::visit(
      [&](const auto& order) {
        if constexpr (
            requires { order.sentence; } || requires { order.nonce; }) {
          return;
        } else if (LineageOf(order) < lineage_) {
          SendStatusTo(event.connection);
        } else if constexpr (requires { order.holder; }) {
          Greet(order);
        } else {
          coordinator_ = event.connection;
          heard_ = now_;
          busy_since_.reset();
          Obey(order);
        }
      },
      event.order);
}

// Taken from a coordinator of any lineage: one that has not claimed yet greets too, and returning a
// nonce proves only that this process lives.
void Shard::Greet(ConnectionId from, const HelloAck& ack) {
  if (nonce_ == ack.nonce) return;
  nonce_ = ack.nonce;
  SendStatusTo(from);
}

void Shard::Greet(const Busy& busy) {
  if (!busy_since_.has_value() || now_ - busy_last_ > config_.busy_gap) busy_since_ = now_;
  busy_last_ = now_;
  if (now_ - *busy_since_ < config_.name_wait) return;
  ExitOnce(3, absl::StrCat("server index ", config_.shard, " is in use by ", busy.holder, " since ",
                           absl::FormatDuration(config_.name_wait),
                           " and more: stop that process or give this one another --index"));
}

void Shard::SendStatusTo(ConnectionId connection) {
  if (connection == ConnectionId{}) return;
  if (connection == coordinator_) told_ = now_;
  effects_.push_back(shard::ToCoordinator{connection, status()});
}

void Shard::On(const shard::Tick&) {
  FindCoordinatorIfSilent();
  if (now_ - told_ >= config_.status_period) changed_ = true;
}

void Shard::FindCoordinatorIfSilent() {
  const bool connected = coordinator_ != ConnectionId{};
  if (now_ - heard_ < (connected ? config_.coordinator_silence : config_.find_period)) return;
  heard_ = now_;
  effects_.push_back(shard::FindCoordinator{});
}

void Shard::On(const shard::WantsToLeave&) {
  wants_to_leave_ = true;
  changed_ = true;
}

void Shard::Obey(const Done& order) { ExitOnce(order.failed ? 1 : 0, order.reason); }

void Shard::ExitOnce(int code, std::string sentence) {
  if (exited_) return;
  exited_ = true;
  effects_.push_back(shard::Exit{code, std::move(sentence)});
}

// ---------------------------------------------------------------- install and load

void Shard::Obey(const Install& order) {
  if (order.lineage == lineage_ && phase_ != ShardPhase::kEmpty) return;
  lineage_ = order.lineage;
  install_ = order;
  load_error_ = LoadErrorKind::kNone;
  load_error_text_.clear();
  sums_.Reset(0, &effects_);
  pulls_.GiveUp(lineage_, order.base.version, &effects_);
  cut_.BeginLineage(lineage_);
  waiting_change_ = std::monostate{};
  change_ = load_ = OperationId{};
  open_ = Open{};
  open_.label = Label{lineage_, -1, 0};
  finished_ = -1;
  phase_ = ShardPhase::kDraining;
  changed_ = true;
  LoadIfDrained();
}

// Loading overwrites masters, moments and sums: nothing of an older lineage may still use them.
void Shard::LoadIfDrained() {
  if (phase_ != ShardPhase::kDraining || operations_.ParametersInUse()) return;
  phase_ = ShardPhase::kLoading;
  load_ = operations_.Begin(OperationKind::kLoad);
  changed_ = true;
  effects_.push_back(shard::StartLoad{load_, install_.base});
}

void Shard::On(const shard::LoadDone& event) {
  if (!operations_.End(event.operation, OperationKind::kLoad)) return;
  LoadIfDrained();
  if (event.operation != load_) return;
  load_ = OperationId{};
  phase_ = ShardPhase::kIdle;
  finished_ = install_.base.round;
  version_ = install_.base.version;
  open_.label = Label{lineage_, finished_, 0};
  pulls_.BeginVersion(lineage_, version_, install_.pull_codec, &operations_, &effects_);
  changed_ = true;
}

void Shard::On(const shard::LoadFailed& event) {
  if (!operations_.End(event.operation, OperationKind::kLoad)) return;
  LoadIfDrained();
  if (event.operation != load_) return;
  load_ = OperationId{};
  phase_ = ShardPhase::kEmpty;
  load_error_ = event.kind;
  load_error_text_ = event.text;
  changed_ = true;
}

// ---------------------------------------------------------------- rounds

void Shard::Obey(const Open& order) {
  if (order.label.lineage != lineage_ || order.view.empty()) return;
  const bool next = phase_ == ShardPhase::kIdle && order.label.round == finished_ + 1;
  const bool again = phase_ == ShardPhase::kOpen && order.label.round == open_.label.round &&
                     order.label > open_.label;
  if (next || again) BeginView(order);
}

void Shard::BeginView(const Open& order) {
  CancelStreamsOutside(order.view);
  open_ = order;
  phase_ = ShardPhase::kOpen;
  sums_.Reset(static_cast<int32_t>(order.view.size()), &effects_);
  changed_ = true;
}

// Only of those who were in the view: one that warms up to join is left alone.
void Shard::CancelStreamsOutside(const std::vector<Member>& view) {
  std::set<std::pair<std::string, Incarnation>> out;
  for (const Member& member : open_.view) out.emplace(member.name, member.incarnation);
  for (const Member& member : view) out.erase({member.name, member.incarnation});
  for (const auto& [connection, member] : members_) {
    if (out.contains(member)) effects_.push_back(CancelStream{connection});
  }
}

bool Shard::ready() const { return phase_ == ShardPhase::kOpen && sums_.complete(); }

void Shard::On(const shard::ReduceDone& event) {
  const bool was_ready = ready();
  sums_.OnReduceDone(event, &operations_, &effects_);
  if (ready() != was_ready) changed_ = true;
  LoadIfDrained();
}

void Shard::Obey(const Decide& order) {
  if (!config_.two_phase || order.label != open_.label || !ready()) return;
  phase_ = ShardPhase::kNorming;
  waiting_change_ = order;
  changed_ = true;
  pulls_.Pause();
  StartChangeIfPossible();
}

void Shard::Obey(const Finish& order) {
  if (order.label != open_.label) return;
  const bool apply = order.verdict == VerdictKind::kApply;
  const bool normed = phase_ == ShardPhase::kNormsDone;
  if (!(apply && config_.two_phase ? normed : ready())) return;
  changed_ = true;
  if (!apply) return EndRound();
  phase_ = ShardPhase::kApplying;
  finish_ = order;
  waiting_change_ = order;
  pulls_.Pause();
  StartChangeIfPossible();
}

// A snapshot reads masters and moments, an encode the masters: both end before either changes.
void Shard::StartChangeIfPossible() {
  if (cut_.snapshotting() || operations_.Any(OperationKind::kEncode)) return;
  if (const auto* decide = std::get_if<Decide>(&waiting_change_)) {
    change_ = operations_.Begin(OperationKind::kNorms);
    effects_.push_back(shard::StartNorms{change_, *decide});
  } else if (const auto* finish = std::get_if<Finish>(&waiting_change_)) {
    change_ = operations_.Begin(OperationKind::kApply);
    effects_.push_back(shard::StartApply{change_, *finish});
  }
  waiting_change_ = std::monostate{};
}

void Shard::On(const shard::NormsDone& event) {
  if (!operations_.End(event.operation, OperationKind::kNorms)) return;
  LoadIfDrained();
  if (event.operation != change_) return;
  change_ = OperationId{};
  norms_ = event.norms;
  phase_ = ShardPhase::kNormsDone;
  changed_ = true;
}

void Shard::On(const shard::ApplyDone& event) {
  if (!operations_.End(event.operation, OperationKind::kApply)) return;
  LoadIfDrained();
  if (event.operation != change_) return;
  change_ = OperationId{};
  ++version_;
  EndRound();
  pulls_.BeginVersion(lineage_, version_, open_.pull_codec, &operations_, &effects_);
  if (finish_.save) CutNow();
  changed_ = true;
}

void Shard::EndRound() {
  finished_ = open_.label.round;
  phase_ = ShardPhase::kIdle;
  pulls_.RoundEnds();
}

// ---------------------------------------------------------------- checkpoints

CheckpointName Shard::Here() const { return CheckpointName{lineage_, finished_, version_}; }

void Shard::CutNow() {
  if (cut_.busy()) {
    cut_.Refuse(Here(), "the save before it is still in flight");
  } else {
    cut_.Begin(Here(), &operations_, &effects_);
  }
}

void Shard::Obey(const Cut& order) {
  const bool unchanging = phase_ == ShardPhase::kIdle || phase_ == ShardPhase::kOpen;
  if (order.lineage != lineage_ || !unchanging || order.round != finished_) return;
  if (cut_.busy() || cut_.saved() == Here()) return;
  changed_ = true;
  CutNow();
}

void Shard::On(const shard::SnapshotDone& event) {
  if (!cut_.OnSnapshotDone(event, &operations_, &effects_)) return;
  StartChangeIfPossible();
  LoadIfDrained();
  changed_ = true;
}

void Shard::On(const shard::SaveDone& event) {
  if (cut_.OnSaveDone(event, &operations_, &effects_)) changed_ = true;
}

void Shard::On(const shard::SaveFailed& event) {
  if (cut_.OnSaveFailed(event, &operations_)) changed_ = true;
}

// ---------------------------------------------------------------- workers

void Shard::On(const shard::HelloArrived& event) {
  const Hashes& theirs = event.hello.hashes;
  const Hashes& ours = config_.hashes;
  if (theirs.protocol != ours.protocol || theirs.job != ours.job || theirs.layout != ours.layout) {
    effects_.push_back(
        ToWorker{event.connection,
                 Refused{absl::StrCat(event.hello.name, ": protocol ", theirs.protocol, ", job ",
                                      absl::Hex(theirs.job), ", layout ", absl::Hex(theirs.layout),
                                      " are not those of this server (", ours.protocol, ", ",
                                      absl::Hex(ours.job), ", ", absl::Hex(ours.layout),
                                      "): start the worker from the job of this run")}});
    return;
  }
  members_[event.connection] = {event.hello.name, event.hello.incarnation};
  effects_.push_back(ToWorker{event.connection, HelloOk{lineage_}});
}

void Shard::On(const shard::StreamClosed& event) {
  members_.erase(event.connection);
  pulls_.OnStreamClosed(event.connection, &operations_, &effects_);
}

void Shard::On(const shard::PullArrived& event) {
  const Pull& pull = event.pull;
  if (pull.lineage > lineage_ || phase_ < ShardPhase::kIdle) return;
  if (pull.lineage < lineage_ || pull.version < version_) {
    effects_.push_back(ToWorker{event.connection, Gone{lineage_, version_}});
  } else if (pull.version == version_ + 1) {
    pulls_.AskNext(event.connection, pull.chunks);
  } else if (pull.version == version_) {
    pulls_.AskPresent(event.connection, pull.chunks, &operations_, &effects_);
  }
}

void Shard::On(const shard::EncodeDone& event) {
  pulls_.OnEncodeDone(event.operation, &operations_, &effects_);
  StartChangeIfPossible();
  LoadIfDrained();
}

void Shard::On(const shard::SendDone& event) { pulls_.OnSendDone(event, &operations_, &effects_); }

void Shard::On(const shard::PushArrived& event) {
  std::optional<ShardToWorker> answer = AnswerUntaken(event.push);
  if (answer.has_value()) {
    if (event.payload != BufferId{}) effects_.push_back(ReleaseBuffer{event.payload});
  } else {
    answer = Contribute(event, *RankOf(event.push));
  }
  effects_.push_back(ToWorker{event.connection, *answer});
}

// Only an acknowledgement of the present label counts for the worker, so a late one is harmless;
// one for a label that is not open yet would be a lie.
std::optional<ShardToWorker> Shard::AnswerUntaken(const Push& push) const {
  if (const std::string why = WhyImpossible(push); !why.empty()) return Refused{why};
  if (phase_ < ShardPhase::kIdle || push.label > open_.label) {
    return Retry{push.label, push.chunk};
  }
  if (push.label < open_.label || !RankOf(push).has_value()) return Stale{push.label, push.chunk};
  if (phase_ != ShardPhase::kOpen) return PushAck{push.label, push.chunk};
  return std::nullopt;
}

std::string Shard::WhyImpossible(const Push& push) const {
  if (!sums_.Owns(push.chunk)) {
    return absl::StrCat(push.name, ": chunk ", push.chunk, " is not one of the ", config_.chunks,
                        " chunks on server ", config_.shard, " of ", config_.shards,
                        ": all servers and workers of a run need the same --servers");
  }
  if (push.label == open_.label && push.codec != open_.push_codec && push.bytes > 0) {
    return absl::StrCat(push.name, ": codec ", spec::Codec::Id_Name(push.codec), " of chunk ",
                        push.chunk, " is not ", spec::Codec::Id_Name(open_.push_codec),
                        ", which round ", push.label.round, " is made with");
  }
  return "";
}

std::optional<int32_t> Shard::RankOf(const Push& push) const {
  const auto it = std::lower_bound(
      open_.view.begin(), open_.view.end(), push.name,
      [](const Member& member, const std::string& name) { return member.name < name; });
  if (it == open_.view.end() || it->name != push.name) return std::nullopt;
  if (it->incarnation != push.incarnation) return std::nullopt;
  return static_cast<int32_t>(it - open_.view.begin());
}

ShardToWorker Shard::Contribute(const shard::PushArrived& event, int32_t rank) {
  const Push& push = event.push;
  const shard::Contribution contribution{event.payload, std::max<int64_t>(push.bytes, 0),
                                         push.codec, push.samples};
  pulls_.SumBegins(push.chunk, &effects_);
  const RoundSums::Offered offered =
      sums_.Offer(push.chunk, rank, contribution, push.poison, &operations_, &effects_);
  if (offered == RoundSums::Offered::kTaken) return PushAck{push.label, push.chunk};
  if (event.payload != BufferId{}) effects_.push_back(ReleaseBuffer{event.payload});
  if (offered == RoundSums::Offered::kDuplicate) return PushAck{push.label, push.chunk};
  return Retry{push.label, push.chunk};
}

}  // namespace tenor

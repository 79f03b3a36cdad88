#include "worker/session/session.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"

namespace tenor {

using session::ComputationId;
using session::Effect;

namespace {

Lineage LineageOf(const Directive& message) { return message.label.lineage; }
template <typename Message>
Lineage LineageOf(const Message& message) {
  return message.lineage;
}

}  // namespace

Session::Session(session::Config config)
    : config_(std::move(config)),
      contact_(&config_),
      links_(config_.hello_repeat),
      pulls_(config_.chunks, config_.pull_repeat),
      pushes_(config_.chunks, config_.push_retry, config_.push_repeat),
      weight_(config_.weight) {}

std::vector<Effect> Session::Handle(absl::Duration now, const session::Event& event) {
  if (exited_) return {};
  now_ = now;
  effects_.clear();
  std::visit([this](const auto& e) { On(e); }, event);
  if (!exited_) Advance();
  return std::move(effects_);
}

void Session::Say(WorkerMessage message) {
  effects_.push_back(session::ToCoordinator{std::move(message)});
}

void Session::ExitWith(int code, std::string sentence) {
  exited_ = true;
  effects_.push_back(session::Exit{code, std::move(sentence)});
}

// ---------------------------------------------------------------- the seat

void Session::On(const session::CoordinatorConnected& event) {
  contact_.OnConnected(now_, event.connection);
  seat_due_ = report_due_ = now_;
}

void Session::On(const session::CoordinatorLost& event) { contact_.OnLost(event.connection); }

void Session::On(const session::FromCoordinator& event) {
  if (!contact_.IsNewest(event.connection)) return;
  contact_.OnHeard(now_);
  if (const auto* refused = std::get_if<Refused>(&event.message)) {
    return ExitWith(3, refused->sentence);
  }
  std::visit(
      [this](const auto& message) {
        if constexpr (!requires { message.sentence; }) {
          if (LineageOf(message) < lineage_) return;
          HearLineage(LineageOf(message));
          Take(message);
        }
      },
      event.message);
}

void Session::HearLineage(Lineage lineage) {
  if (lineage <= lineage_) return;
  const bool first = lineage_ == 0;
  lineage_ = lineage;
  if (first) return;
  ForgetRound();
  pulls_.Forget();
  heard_version_ = -1;
  effects_.push_back(session::DropWeights{});
}

// Kept gradient, leases, lanes and residual; not the weights.
void Session::ForgetRound() {
  if (computing_) effects_.push_back(session::CancelCompute{computation_});
  if (computation_ != ComputationId{}) effects_.push_back(session::DropKept{computation_});
  effects_.push_back(session::ZeroResidual{});
  effects_.push_back(session::ResetLanes{});
  computing_ = false;
  computation_ = ComputationId{};
  pushes_.Clear();
  directive_.reset();
  retracted_.reset();
  reported_ = false;
}

void Session::Take(const Granted& message) {
  if (seated() || leaving_) return;
  incarnation_ = message.incarnation;
  contact_.OnGranted();
  ForgetRound();
  warm_ = false;
  links_.GreetAgain();
  SetTable(message.shards);
  HearVersion(message.version);
  seat_due_ = now_;
}

void Session::Take(const Busy& message) {
  if (seated() || !contact_.OnBusy(now_)) return;
  ExitWith(3, absl::StrCat("name ", config_.name, " is in use by ", message.holder, " since ",
                           absl::FormatDuration(config_.name_wait),
                           " and more: stop that process or give this one another --name"));
}

void Session::Take(const Evicted& message) {
  if (!seated() || message.incarnation != incarnation_) return;
  if (leaving_) return ExitWith(0, "left the run");
  incarnation_ = Incarnation{};
  ForgetRound();
  seat_due_ = now_;
}

void Session::Take(const HeartbeatAck& message) {
  if (message.incarnation != incarnation_) return;
  // One that comes late must not undo the table of a directive, which is sent once a view.
  if (!warm_) SetTable(message.shards);
  HearVersion(message.version);
}

void Session::Take(const Done& message) { ExitWith(message.failed ? 1 : 0, message.reason); }

void Session::SetTable(const std::vector<ShardAddress>& table) {
  if (links_.SetTable(table)) effects_.push_back(session::ConnectShards{table});
}

// Only a member that never had a directive of this lineage chooses its weights: to become warm.
void Session::HearVersion(Version version) {
  heard_version_ = std::max(heard_version_, version);
  if (seated() && !in_round() && !warm_) pulls_.SetTarget(lineage_, heard_version_);
}

void Session::AdvanceSeat() {
  if (contact_.LookUpDue(now_)) effects_.push_back(session::FindCoordinator{});
  if (!contact_.connected() || now_ < seat_due_) return;
  if (seated()) return SendHeartbeat();
  seat_due_ = now_ + config_.join_period;
  Say(Join{config_.name, config_.process, lineage_, weight_, config_.hashes, config_.compute,
           config_.processor});
}

void Session::SendHeartbeat() {
  seat_due_ = now_ + config_.heartbeat_period;
  Heartbeat heartbeat;
  heartbeat.name = config_.name;
  heartbeat.incarnation = incarnation_;
  heartbeat.lineage = lineage_;
  heartbeat.label = label();
  heartbeat.progress = progress_;
  heartbeat.computed =
      computation_ != ComputationId{} && !computing_ && pushes_.all_ready() && !retracting();
  heartbeat.warm = warm_;
  heartbeat.weight = weight_;
  Say(heartbeat);
}

void Session::On(const session::LeaveRequested&) {
  leaving_ = true;
  if (!seated()) return ExitWith(0, "left the run");
  report_due_ = now_;
}

void Session::On(const session::Tick&) {}

void Session::On(const session::ProgressMade&) { ++progress_; }

// ---------------------------------------------------------------- shards

void Session::On(const session::ShardConnected& event) {
  links_.OnConnected(event.shard);
  pulls_.AskAgain(event.shard);
  if (links_.connected(event.shard)) pushes_.OnReconnected(event.shard, links_.shards());
}

void Session::On(const session::ShardLost& event) { links_.OnLost(event.shard); }

void Session::On(const session::FromShard& event) {
  std::visit([&](const auto& message) { Answer(event.shard, message); }, event.message);
}

void Session::Answer(int32_t shard, const HelloOk& message) {
  HearLineage(message.lineage);
  links_.OnHelloOk(shard);
}

void Session::Answer(int32_t, const Refused& message) { ExitWith(3, message.sentence); }

bool Session::CountsNow(const Label& label) const {
  return in_round() && label == directive_->label && !retracting();
}

void Session::Answer(int32_t, const PushAck& message) {
  if (CountsNow(message.label) && pushes_.OnAck(message.chunk)) ++progress_;
}

void Session::Answer(int32_t, const Stale& message) {
  if (CountsNow(message.label)) pushes_.OnStale(now_, message.chunk);
}

void Session::Answer(int32_t, const Retry& message) {
  if (CountsNow(message.label)) pushes_.OnRetry(now_, message.chunk);
}

void Session::Answer(int32_t, const Gone& message) {
  HearLineage(message.lineage);
  if (message.lineage == lineage_) HearVersion(message.version);
}

void Session::On(const session::ChunkArrived& event) {
  if (!pulls_.Wants(event.chunk)) {
    effects_.push_back(session::ReleaseBuffer{event.payload});
    return;
  }
  pulls_.OnArrived(now_, event.shard, event.chunk);
  effects_.push_back(session::DecodeChunk{event.chunk, event.payload});
}

void Session::On(const session::ChunkDecoded& event) {
  if (pulls_.OnDecoded(event.lineage, event.version, event.chunk, event.ok)) ++progress_;
}

// Also before the seat is warm: connections and weights are what makes it so.
void Session::AdvanceShards() {
  for (int32_t k = 0; k < links_.shards(); ++k) {
    if (!links_.connected(k)) continue;
    if (links_.HelloDue(now_, k)) {
      effects_.push_back(session::ToShard{
          k, Hello{config_.name, incarnation_, lineage_, config_.hashes}, ComputationId{}});
    }
    if (std::optional<Pull> pull = pulls_.Due(now_, k, links_.shards())) {
      pull->name = config_.name;
      effects_.push_back(session::ToShard{k, *pull, ComputationId{}});
    }
  }
}

void Session::AdvanceWarmth() {
  if (warm_ || !links_.all_greeted() || !pulls_.complete()) return;
  warm_ = true;
  if (contact_.connected()) SendHeartbeat();
}

// ---------------------------------------------------------------- rounds

void Session::Take(const Directive& message) {
  if (!seated() || message.incarnation != incarnation_) return;
  if (in_round() && message.label <= directive_->label) return;
  if (in_round() && message.label.round != directive_->label.round) SettleKept(message);
  directive_ = message;
  reported_ = false;
  report_due_ = now_;
  pushes_.BeginLabel();
  SetTable(message.shards);
  pulls_.SetTarget(lineage_, message.version);
}

// "The round before was applied" is not enough: this member may have been outside its view.
void Session::SettleKept(const Directive& next) {
  retracted_.reset();
  if (computation_ == ComputationId{}) return;
  if (computing_) effects_.push_back(session::CancelCompute{computation_});
  const bool applied = next.last_applied_round == directive_->label.round;
  effects_.push_back(session::Settle{computation_, applied, applied && directive_->flush});
  computation_ = ComputationId{};
  computing_ = false;
  pushes_.Clear();
}

void Session::AdvanceComputing() {
  if (!in_round() || computation_ != ComputationId{}) return;
  if (pulls_.Complete(lineage_, directive_->version)) BeginComputing();
}

void Session::BeginComputing() {
  computation_ = ComputationId{++last_computation_};
  result_ = session::ComputeDone{computation_};
  if (!directive_->leases.empty()) {
    computing_ = true;
    effects_.push_back(session::StartCompute{computation_, *directive_});
    return;
  }
  for (ChunkNumber chunk = 0; chunk < config_.chunks; ++chunk) pushes_.OnWhole(chunk, 0, true);
}

void Session::On(const session::GradientChunkReady& event) {
  if (event.computation != computation_) return;
  ++progress_;
  if (!pushes_.OnWhole(event.chunk, event.samples, event.finite)) return;
  effects_.push_back(
      session::EncodeChunk{computation_, event.chunk, directive_->push_codec, event.samples});
}

void Session::On(const session::Encoded& event) {
  if (event.computation != computation_) return;
  pushes_.OnEncoded(event.chunk, event.finite, event.bytes);
}

void Session::On(const session::ComputeDone& event) {
  if (event.computation != computation_ || !computing_) return;
  computing_ = false;
  result_ = event;
}

void Session::On(const session::LocalLoss& event) {
  weight_ = event.weight;
  if (computation_ == ComputationId{} || reported_ || directive_->leases.empty()) return;
  if (pushes_.pushed()) {
    retracted_ = directive_->label;
    report_due_ = now_;
  }
  const ComputationId replaced = computation_;
  computation_ = ComputationId{++last_computation_};
  computing_ = true;
  pushes_.Clear();
  effects_.push_back(session::SumAgain{computation_, replaced, *directive_});
}

void Session::AdvancePushes() {
  if (!in_round() || retracting()) return;
  for (int32_t k = 0; k < links_.shards(); ++k) {
    if (!links_.connected(k)) continue;
    for (Push& push : pushes_.Due(now_, k, links_.shards(), directive_->push_codec)) {
      push.label = directive_->label;
      push.name = config_.name;
      push.incarnation = incarnation_;
      effects_.push_back(session::ToShard{k, std::move(push), computation_});
    }
  }
}

void Session::AdvanceReport() {
  if (now_ < report_due_ || !contact_.connected()) return;
  const bool whole = computation_ != ComputationId{} && !computing_ && pushes_.all_acknowledged();
  if (in_round() && retracting()) {
    Say(Retract{directive_->label, config_.name, incarnation_});
  } else if (in_round() && whole) {
    reported_ = true;
    Say(Report{directive_->label, config_.name, incarnation_, result_.samples, result_.loss_sum,
               result_.finite && !pushes_.poisoned(), result_.consumption});
  } else if (!leaving_ || in_round()) {
    return;
  }
  if (leaving_ && !retracting()) Say(Leave{config_.name, incarnation_, lineage_});
  report_due_ = now_ + config_.report_repeat;
}

void Session::Advance() {
  if (seated()) {
    AdvanceShards();
    AdvanceWarmth();
    AdvanceComputing();
    AdvancePushes();
    AdvanceReport();
  }
  AdvanceSeat();
}

}  // namespace tenor

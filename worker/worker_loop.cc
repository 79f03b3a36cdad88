#include "worker/worker_loop.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "base/check.h"

namespace tenor {
namespace {

constexpr absl::Duration kTick = absl::Milliseconds(50);
constexpr absl::Duration kTurning = absl::Seconds(5);

}  // namespace

WorkerLoop::WorkerLoop(session::Config config, ChunkTable chunks, PsClient* client,
                       Trainer* trainer, NodeGroup* group, const Clock* clock,
                       std::function<void(std::string)> log)
    : client_(client),
      clock_(clock),
      chunks_(chunks),
      log_(std::move(log)),
      session_(config),
      work_(
          trainer, group, chunks, clock, config.seed,
          [this](session::Event event, Payload payload) {
            Add(std::move(event), std::move(payload));
          },
          [this](const absl::Status& error) {
            MutexLock lock(mu_);
            error_ = error;
            arrived_event_.NotifyOne();
          }) {}

WorkerLoop::~WorkerLoop() { work_.Stop(); }

WorkerLoop::Result WorkerLoop::Run() {
  client_->Start(this);
  Step(Item{session::Tick{}, Payload()});
  while (!result_) {
    if (std::optional<Item> item = Next()) Step(*std::move(item));
    if (!result_ && clock_->Now() - last_tick_ >= kTick) Step(Item{session::Tick{}, Payload()});
    Publish();
  }
  client_->Stop();
  work_.Stop();
  return *result_;
}

void WorkerLoop::Leave() { Add(session::LeaveRequested{}); }

WorkerView WorkerLoop::View() const {
  MutexLock lock(mu_);
  return view_;
}

bool WorkerLoop::turning() const {
  MutexLock lock(mu_);
  return clock_->Now() - published_ < kTurning;
}

// ---------------------------------------------------------------- events

void WorkerLoop::Add(session::Event event, Payload payload) {
  MutexLock lock(mu_);
  items_.push_back(Item{std::move(event), std::move(payload)});
  arrived_event_.NotifyOne();
}

std::optional<WorkerLoop::Item> WorkerLoop::Next() {
  const absl::Duration left = kTick - (clock_->Now() - last_tick_);
  MutexLock lock(mu_);
  arrived_event_.WaitFor(mu_, left, [this]() TENOR_REQUIRES(mu_) {
    return !items_.empty() || error_.has_value();
  });
  if (error_) {
    result_ = Result{1, std::string(error_->message())};
    return std::nullopt;
  }
  if (items_.empty()) return std::nullopt;
  Item item = std::move(items_.front());
  items_.pop_front();
  return item;
}

void WorkerLoop::OnCoordinatorConnected() { Add(session::CoordinatorConnected{}); }

void WorkerLoop::OnCoordinatorLost(const absl::Status& why) {
  log_(absl::StrCat("lost the coordinator: ", why.message()));
  Add(session::CoordinatorLost{});
}

void WorkerLoop::OnCoordinatorMessage(CoordinatorToWorker message) {
  Add(session::FromCoordinator{{}, std::move(message)});
}

void WorkerLoop::OnShardConnected(int shard) { Add(session::ShardConnected{shard}); }

void WorkerLoop::OnShardLost(int shard, const absl::Status& why) {
  log_(absl::StrCat("lost server ", shard, ": ", why.message()));
  Add(session::ShardLost{shard});
}

void WorkerLoop::OnShardMessage(int shard, ShardToWorker message, Payload payload) {
  if (const Chunk* chunk = std::get_if<Chunk>(&message)) {
    Add(session::ChunkArrived{shard, *chunk, {}}, std::move(payload));
  } else {
    Add(session::FromShard{shard, std::move(message)});
  }
}

// Numbers what the session tells apart by number, and keeps what it never sees.
void WorkerLoop::Note(const Item& item) {
  if (const auto* encoded = std::get_if<session::Encoded>(&item.event)) {
    if (encoded->computation != kept_.computation) return;
    kept_.bytes[encoded->chunk] = item.payload;
    kept_.total += encoded->bytes;
  } else if (const auto* done = std::get_if<session::ComputeDone>(&item.event)) {
    shown_.samples += done->samples;
    shown_.loss_sum += done->loss_sum;
  } else if (std::holds_alternative<session::ProgressMade>(item.event)) {
    ++shown_.micro_batches;
  } else if (std::holds_alternative<session::FromCoordinator>(item.event)) {
    last_heard_ = clock_->Now();
  }
}

void WorkerLoop::Step(Item item) {
  if (std::holds_alternative<session::CoordinatorConnected>(item.event)) ++connection_.value;
  if (auto* event = std::get_if<session::CoordinatorConnected>(&item.event)) {
    event->connection = connection_;
  } else if (auto* event = std::get_if<session::CoordinatorLost>(&item.event)) {
    event->connection = connection_;
  } else if (auto* event = std::get_if<session::FromCoordinator>(&item.event)) {
    event->connection = connection_;
  } else if (auto* event = std::get_if<session::ChunkArrived>(&item.event)) {
    event->payload = BufferId{next_buffer_++};
    shown_.pulled_bytes += static_cast<int64_t>(item.payload.size());
    arrived_.emplace(event->payload.value, item.payload);
  } else if (std::holds_alternative<session::Tick>(item.event)) {
    last_tick_ = clock_->Now();
  }
  Note(item);
  for (const session::Effect& effect : session_.Handle(clock_->Now(), item.event)) Carry(effect);
}

void WorkerLoop::Publish() {
  shown_.seated = session_.seated();
  shown_.in_round = session_.in_round();
  shown_.label = session_.label();
  shown_.compute_seconds = work_.compute_seconds();
  shown_.wait_seconds = absl::ToDoubleSeconds(clock_->Now()) - shown_.compute_seconds;
  shown_.kept_bytes = kept_.total;
  shown_.heard_ago = clock_->Now() - last_heard_;
  MutexLock lock(mu_);
  view_ = shown_;
  published_ = clock_->Now();
}

// ---------------------------------------------------------------- effects

void WorkerLoop::Carry(const session::Effect& effect) {
  std::visit([this](const auto& e) { Do(e); }, effect);
}

void WorkerLoop::Do(const session::ToCoordinator& effect) {
  WorkerMessage message = effect.message;
  if (Heartbeat* heartbeat = std::get_if<Heartbeat>(&message)) {
    heartbeat->compute_seconds = shown_.compute_seconds;
    heartbeat->wait_seconds = shown_.wait_seconds;
  }
  client_->SendToCoordinator(message);
}

void WorkerLoop::Do(const session::FindCoordinator&) { client_->FindCoordinator(); }

void WorkerLoop::Do(const session::ConnectShards& effect) { client_->ConnectShards(effect.shards); }

void WorkerLoop::Do(const session::ToShard& effect) {
  Payload payload;
  const Push* push = std::get_if<Push>(&effect.message);
  if (push != nullptr && push->bytes > 0) {
    if (effect.computation != kept_.computation) return;
    payload = kept_.bytes[push->chunk];
    shown_.pushed_bytes += push->bytes;
  }
  client_->SendToShard(effect.shard, effect.message, std::move(payload));
}

void WorkerLoop::Do(const session::DecodeChunk& effect) {
  auto found = arrived_.find(effect.payload.value);
  CHECK(found != arrived_.end()) << "payload " << effect.payload.value << " is gone";
  work_.Decode(effect.chunk, std::move(found->second));
  arrived_.erase(found);
}

void WorkerLoop::Do(const session::ReleaseBuffer& effect) { arrived_.erase(effect.payload.value); }

void WorkerLoop::Do(const session::StartCompute& effect) {
  kept_ = Kept{effect.computation, 0, effect.directive.push_codec,
               std::vector<Payload>(chunks_.count()), 0};
  for (const Lease& lease : effect.directive.leases) kept_.samples += lease.to - lease.from;
  shown_.version = effect.directive.version;
  shown_.accumulation_steps = effect.directive.accumulation_steps;
  work_.Compute(effect);
}

// Only an aggregator reports local losses, so only its shell is asked for this.
void WorkerLoop::Do(const session::SumAgain&) { CHECK(false) << "a sum without local workers"; }

void WorkerLoop::Do(const session::CancelCompute& effect) { work_.Cancel(effect.computation); }

void WorkerLoop::Do(const session::EncodeChunk& effect) {
  kept_.codec = effect.codec;
  work_.Encode(effect);
}

void WorkerLoop::Do(const session::Settle& effect) {
  if (effect.computation != kept_.computation) return;
  work_.Settle(effect, kept_.samples, kept_.codec, std::move(kept_.bytes));
  kept_ = Kept{};
}

void WorkerLoop::Do(const session::DropKept& effect) {
  if (effect.computation == kept_.computation) kept_ = Kept{};
}

void WorkerLoop::Do(const session::ZeroResidual&) { work_.ZeroResidual(); }

void WorkerLoop::Do(const session::ResetLanes&) { work_.ResetLanes(); }

// The next pull overwrites them.
void WorkerLoop::Do(const session::DropWeights&) {}

void WorkerLoop::Do(const session::Exit& effect) {
  result_ = Result{effect.code, effect.sentence};
}

}  // namespace tenor

#include "tests/sim/shard_runner.h"

#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "base/random.h"
#include "tests/sim/job.h"
#include "tests/sim/server_process.h"
#include "tests/sim/worker_process.h"
#include "tests/sim/world.h"

namespace tenor::sim {

ShardRunner::ShardRunner(World* world, Process* self)
    : world_(world),
      self_(self),
      shard_(ShardConfigOf(world->plan(), self->index(), self->number())),
      dialer_(world, StreamKind::kShardControl, self->number()) {
  state_.shard = self->index();
}

void ShardRunner::Tick() { Step(shard::Tick{}); }

void ShardRunner::FromCoordinator(StreamNumber stream, const CoordinatorToShard& order) {
  Step(shard::OrderFrom{{stream}, order});
}

void ShardRunner::FromWorker(StreamNumber stream, const WorkerToShard& message,
                             const PushPayload& payload) {
  if (const auto* hello = std::get_if<Hello>(&message)) {
    Step(shard::HelloArrived{{stream}, *hello});
  } else if (const auto* pull = std::get_if<Pull>(&message)) {
    Step(shard::PullArrived{{stream}, *pull});
  } else {
    const Push& push = std::get<Push>(message);
    BufferId buffer;
    if (push.bytes > 0) {
      buffer = buffers_.Allocate({payload.computation, push.label, payload.finite});
    }
    Step(shard::PushArrived{{stream}, push, buffer});
  }
}

void ShardRunner::CoordinatorLost(StreamNumber stream) {
  if (dialer_.Lost(stream)) Step(shard::CoordinatorLost{{stream}});
}

void ShardRunner::DataStreamLost(StreamNumber stream) { Step(shard::StreamClosed{{stream}}); }

void ShardRunner::Step(const shard::Event& event) {
  const std::vector<shard::Effect> effects = shard_.Handle(self_->Clock(world_->now()), event);
  for (const shard::Effect& effect : effects) {
    if (!self_->alive()) return;
    std::visit([this](const auto& e) { Run(e); }, effect);
  }
  CheckStash();
  std::set<Version> versions;
  for (const auto& [id, payload] : payloads_) versions.insert(payload.version);
  if (versions.size() > 2) world_->history().Fail("I8", "more than two encoded versions live");
}

void ShardRunner::CheckStash() {
  std::map<Incarnation, int> waiting;
  for (const auto& [buffer, contribution] : buffers_.live()) {
    if (reducing_.contains(buffer)) continue;
    ++waiting[world_->history().computations[contribution.computation].incarnation];
  }
  for (const auto& [incarnation, count] : waiting) {
    if (count <= world_->plan().credits) continue;
    world_->history().Fail("I8", absl::StrCat("shard ", self_->index(), " lets ", count,
                                              " contributions of one member wait"));
  }
}

void ShardRunner::Later(int low, int high, shard::Event event) {
  world_->After(self_->number(), low, high, [this, event = std::move(event)] { Step(event); });
}

void ShardRunner::Release(BufferId buffer) {
  if (buffer == BufferId{}) return;
  if (reducing_.contains(buffer)) world_->history().Fail("I8", "a buffer in a Reduce is released");
  if (!buffers_.Release(buffer)) world_->history().Fail("I8", "a buffer is released twice");
}

// ---------------------------------------------------------------- messages

void ShardRunner::Run(const shard::ToCoordinator& effect) {
  world_->sums().OnStatus(effect.status);
  const StreamNumber stream = effect.connection.value;
  ServerProcess* server = world_->server(world_->streams().server(stream));
  world_->streams().SendToServer(stream, [server, stream, status = effect.status] {
    server->coordinator()->FromShard(stream, status);
  });
}

void ShardRunner::Run(const shard::FindCoordinator&) {
  dialer_.Find([this](StreamNumber stream) { Step(shard::CoordinatorConnected{{stream}}); });
}

void ShardRunner::Run(const shard::ToWorker& effect) {
  const StreamNumber stream = effect.connection.value;
  WorkerProcess* worker = world_->worker(world_->streams().client(stream));
  world_->streams().SendToClient(
      stream, [worker, stream, message = effect.message] { worker->FromShard(stream, message); });
}

void ShardRunner::Run(const shard::SendChunk& effect) {
  const StreamNumber stream = effect.connection.value;
  auto payload = payloads_.find(effect.payload);
  if (payload == payloads_.end()) {
    world_->history().Fail("I8", "a payload is sent that is not held");
    return;
  }
  ++payload->second.users;
  WorkerProcess* worker = world_->worker(world_->streams().client(stream));
  world_->streams().SendToClient(
      stream, [worker, stream, chunk = effect.chunk, weights = payload->second.weights] {
        worker->ChunkArrived(stream, chunk, weights);
      });
  world_->After(self_->number(), 1, 60, [this, effect] {
    --payloads_[effect.payload].users;
    Step(shard::SendDone{effect.connection, effect.payload});
  });
}

void ShardRunner::Run(const shard::CancelStream& effect) {
  const StreamNumber stream = effect.connection.value;
  if (!world_->streams().open_at_server(stream)) return;
  world_->streams().HangUp(stream, self_->number());
  Later(1, 5, shard::StreamClosed{effect.connection});
}

// ---------------------------------------------------------------- sums

void ShardRunner::Run(const shard::ReleaseBuffer& effect) { Release(effect.buffer); }

void ShardRunner::Run(const shard::StartReduce& effect) {
  if (effect.buffer != BufferId{}) reducing_.insert(effect.buffer);
  world_->After(self_->number(), 1, 25, [this, effect] { FinishReduce(effect); });
}

void ShardRunner::FinishReduce(const shard::StartReduce& effect) {
  Contribution contribution{kNoComputation, {}, true};
  if (effect.buffer != BufferId{}) {
    const Contribution* held = buffers_.Find(effect.buffer);
    if (held == nullptr) {
      world_->history().Fail("I8", "a Reduce reads a buffer that was released");
      return;
    }
    contribution = *held;
    reducing_.erase(effect.buffer);
    Release(effect.buffer);
  }
  auto& sum = sums_[effect.chunk];
  if (effect.first) sum.clear();
  sum.push_back(contribution);
  Step(shard::ReduceDone{effect.operation, true, effect.last ? 1.0 : 0.0});
}

std::vector<ChunkSum> ShardRunner::Sums() const {
  std::vector<ChunkSum> sums;
  const Plan& plan = world_->plan();
  for (ChunkNumber chunk = self_->index(); chunk < plan.chunks; chunk += plan.shards) {
    auto sum = sums_.find(chunk);
    sums.push_back({chunk, sum == sums_.end() ? std::vector<Contribution>() : sum->second});
  }
  return sums;
}

// ---------------------------------------------------------------- parameters

void ShardRunner::BeginExclusive(const char* what) {
  if (snapshots_running_ + loads_running_ + applies_running_ + norms_running_ > 0) {
    world_->history().Fail("I9", absl::StrCat("shard ", self_->index(), " starts ", what,
                                              " while its parameters are in use"));
  }
}

void ShardRunner::Run(const shard::StartNorms& effect) {
  BeginExclusive("Norms");
  ++norms_running_;
  world_->After(self_->number(), 1, 40, [this, effect] { FinishNorms(effect); });
}

void ShardRunner::FinishNorms(const shard::StartNorms& effect) {
  --norms_running_;
  world_->sums().OnSums(effect.decide.label, state_, Sums());
  norms_label_ = effect.decide.label;
  state_.moments = Mix64(state_.moments ^ Mix64(effect.decide.label.round));
  std::vector<PartialNorm> norms;
  for (const ChunkSum& sum : Sums()) {
    for (const Contribution& contribution : sum.contributions) {
      state_.moments = Mix64(state_.moments + contribution.computation);
    }
    norms.push_back({0, 1.0, 1.0});
  }
  Step(shard::NormsDone{effect.operation, std::move(norms)});
}

void ShardRunner::Run(const shard::StartApply& effect) {
  BeginExclusive("Apply");
  if (encodes_running_ > 0) world_->history().Fail("I9", "Apply starts while a chunk is encoded");
  ++applies_running_;
  world_->After(self_->number(), 5, 80, [this, effect] { FinishApply(effect); });
}

void ShardRunner::FinishApply(const shard::StartApply& effect) {
  --applies_running_;
  const Label& label = effect.finish.label;
  if (!world_->plan().two_phase) {
    world_->sums().OnSums(label, state_, Sums());
  } else if (norms_label_ != label) {
    world_->history().Fail("I3", absl::StrCat("apply of ", ToString(label), " without its norms"));
  }
  state_.weights = Mix64(state_.weights ^ Mix64(label.round));
  for (const ChunkSum& sum : Sums()) {
    for (const Contribution& contribution : sum.contributions) {
      state_.weights = Mix64(state_.weights + contribution.computation);
    }
  }
  ++state_.version;
  world_->sums().OnApplied(label, state_);
  Step(shard::ApplyDone{effect.operation});
}

void ShardRunner::Run(const shard::StartEncode& effect) {
  if (applies_running_ + loads_running_ > 0) {
    world_->history().Fail("I9", "a chunk is encoded while parameters change");
  }
  auto [payload, fresh] = payloads_.insert({effect.payload, {state_.version, state_.weights, 0}});
  if (payload->second.weights != state_.weights) {
    world_->history().Fail("I8", "one payload holds chunks of two versions");
  }
  ++payload->second.users;
  ++encodes_running_;
  world_->After(self_->number(), 1, 15, [this, effect] {
    --encodes_running_;
    --payloads_[effect.payload].users;
    Step(shard::EncodeDone{effect.operation});
  });
}

void ShardRunner::Run(const shard::DropPayload& effect) {
  auto payload = payloads_.find(effect.payload);
  if (payload == payloads_.end()) return;  // nothing of it was ever encoded
  if (payload->second.users > 0) world_->history().Fail("I8", "a payload in use is dropped");
  payloads_.erase(payload);
}

// ---------------------------------------------------------------- files

void ShardRunner::Run(const shard::StartSnapshot& effect) {
  BeginExclusive("a snapshot");
  ++snapshots_running_;
  world_->After(self_->number(), 5, 150, [this, effect] {
    --snapshots_running_;
    const bool fails = world_->faulty() && world_->random().Chance(world_->plan().save_failure / 2);
    if (!fails) snapshots_[effect.checkpoint] = state_;
    Step(shard::SnapshotDone{effect.operation, fails ? "disk full" : ""});
  });
}

void ShardRunner::Run(const shard::StartSave& effect) {
  world_->After(self_->number(), 20, 700, [this, effect] {
    const ShardState state = snapshots_[effect.checkpoint];
    snapshots_.erase(effect.checkpoint);
    if (world_->faulty() && world_->random().Chance(world_->plan().save_failure)) {
      Step(shard::SaveFailed{effect.operation, "disk"});
      return;
    }
    world_->disk().WriteShardFile(effect.checkpoint, self_->index(),
                                  {state.weights, state.moments, state.version});
    world_->MaybeStrike(self_->number());
    Step(shard::SaveDone{effect.operation, {absl::StrCat("shard-", self_->index()), 1, 1}});
  });
}

void ShardRunner::Run(const shard::DeleteFile& effect) {
  world_->After(self_->number(), 1, 20, [this, effect] {
    world_->disk().DeleteShardFile(effect.checkpoint, self_->index());
  });
}

void ShardRunner::Run(const shard::StartLoad& effect) {
  BeginExclusive("a load");
  if (!reducing_.empty() || encodes_running_ > 0) {
    world_->history().Fail("I9", "a load starts while an operation is in flight");
  }
  ++loads_running_;
  world_->After(self_->number(), 20, 120, [this, effect] { FinishLoad(effect); });
}

void ShardRunner::FinishLoad(const shard::StartLoad& effect) {
  --loads_running_;
  if (world_->faulty() && world_->random().Chance(world_->plan().save_failure / 4)) {
    Step(shard::LoadFailed{effect.operation, LoadErrorKind::kOther, "disk"});
    return;
  }
  if (world_->disk().damaged(effect.base, self_->index())) {
    Step(shard::LoadFailed{effect.operation, LoadErrorKind::kDamaged, "crc"});
    return;
  }
  ReadParameters(effect.base);
  Step(shard::LoadDone{effect.operation});
  const Status status = shard_.status();
  if (status.phase == ShardPhase::kIdle && status.finished == effect.base.round) {
    world_->sums().OnLoaded(status.lineage, effect.base.round, state_);
  }
}

void ShardRunner::ReadParameters(const CheckpointName& base) {
  sums_.clear();
  if (base.lineage == 0) {
    state_.weights = Mix64(77 + self_->index());
    state_.moments = 0;
    state_.version = 0;
    return;
  }
  const ShardFile* file = world_->disk().FindShardFile(base, self_->index());
  if (file == nullptr) {
    world_->history().Fail(
        "I6", absl::StrCat("the file of checkpoint ", base.lineage, ".", base.round, " of shard ",
                           self_->index(), " is gone at load"));
    return;
  }
  state_.weights = file->weights;
  state_.moments = file->moments;
  state_.version = file->version;
  const uint64_t expected = world_->sums().HashOf(base.lineage, base.version, self_->index());
  if (state_.hash() != expected || state_.version != base.version) {
    world_->history().Fail("I6", absl::StrCat("what shard ", self_->index(), " loads is not ",
                                              base.lineage, ".", base.round));
  }
}

void ShardRunner::Run(const shard::Exit& effect) {
  if (world_->tracing()) {
    world_->Say(absl::StrCat("process ", self_->number(), ": shard exits ", effect.code, ": ",
                             effect.sentence));
  }
  if (effect.code == 3) world_->CheckNameInUse(*self_);
  if (effect.code == 3 || world_->ended() == 0) world_->Exit(self_->number());
}

std::string ShardRunner::Describe() const {
  const Status status = shard_.status();
  std::string text =
      absl::StrCat("shard phase ", static_cast<int>(status.phase), " lineage ", status.lineage,
                   " open ", ToString(status.open), status.ready ? " ready" : "", " finished ",
                   status.finished, " version ", status.version, ", waits for");
  for (const std::string& name : status.waits_for) absl::StrAppend(&text, " ", name);
  return text;
}

void ShardRunner::CheckDrained() {
  if (!buffers_.live().empty()) {
    world_->history().Fail("I8", absl::StrCat("process ", self_->number(), " still holds ",
                                              buffers_.live().size(), " buffers after the end"));
  }
}

}  // namespace tenor::sim

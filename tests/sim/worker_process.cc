#include "tests/sim/worker_process.h"

#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "tests/sim/job.h"
#include "tests/sim/server_process.h"
#include "tests/sim/world.h"

namespace tenor::sim {

WorkerProcess::WorkerProcess(World* world, int index, ProcessNumber number)
    : Process(Role::kWorker, index, number, world->now()),
      world_(world),
      session_(SessionConfigOf(world->plan(), index, number)),
      dialer_(world, StreamKind::kWorkerControl, number),
      trainer_(world, this, [this](const session::Event& event) { Step(event); }) {}

void WorkerProcess::Start() { Tick(); }

void WorkerProcess::Tick() { Step(session::Tick{}); }

void WorkerProcess::Step(const session::Event& event) {
  const auto effects = session_.Handle(Clock(world_->now()), event);
  for (const session::Effect& effect : effects) {
    if (!alive()) return;
    std::visit([this](const auto& e) { Run(e); }, effect);
  }
}

std::string WorkerProcess::Describe() const {
  std::string text = absl::StrCat("worker ", session_.seated() ? "seated " : "",
                                  session_.in_round() ? "in " : "at ", ToString(session_.label()),
                                  " stream ", dialer_.stream(), ", shards");
  for (const Link& link : links_) absl::StrAppend(&text, " ", link.stream);
  return text;
}

void WorkerProcess::AskToLeave() {
  leaving_ = true;
  Step(session::LeaveRequested{});
}

void WorkerProcess::LoseLocalWorker() {
  if (trainer_.holds_whole() && !trainer_.hung()) Step(session::LocalLoss{1});
}

// ---------------------------------------------------------------- coordinator

void WorkerProcess::Run(const session::ToCoordinator& effect) {
  const StreamNumber stream = dialer_.stream();
  if (stream == 0) return;
  int computation = trainer_.newest();
  if (const auto* report = std::get_if<Report>(&effect.message)) {
    reported_ = world_->now();
    if (report->consumption.empty()) computation = trainer_.EmptyComputation(*report);
  }
  ServerProcess* server = world_->server(world_->streams().server(stream));
  world_->streams().SendToServer(stream, [server, stream, message = effect.message, computation] {
    server->coordinator()->FromWorker(stream, message, computation);
  });
}

void WorkerProcess::Run(const session::FindCoordinator&) {
  dialer_.Find([this](StreamNumber stream) { Step(session::CoordinatorConnected{{stream}}); });
}

void WorkerProcess::FromCoordinator(StreamNumber stream, const CoordinatorToWorker& message) {
  Step(session::FromCoordinator{{stream}, message});
}

// ---------------------------------------------------------------- shards

void WorkerProcess::Run(const session::ConnectShards& effect) {
  links_.resize(effect.shards.size());
  for (size_t shard = 0; shard < links_.size(); ++shard) {
    Link& link = links_[shard];
    if (link.address == effect.shards[shard]) continue;
    link.address = effect.shards[shard];
    if (link.stream != 0) {
      world_->streams().HangUp(std::exchange(link.stream, 0), number());
    }
    DialShard(static_cast<int>(shard));
  }
}

void WorkerProcess::DialShard(int shard) {
  if (links_[shard].dialling || links_[shard].address.address.empty()) return;
  links_[shard].dialling = true;
  // The address mostly leads to the process that the coordinator names.
  ProcessNumber target = static_cast<ProcessNumber>(links_[shard].address.process.value);
  if (!world_->process(target).alive() || world_->random().Chance(0.05)) {
    target = world_->ResolveServer(shard);
  }
  world_->streams().Dial(StreamKind::kData, number(), target, [this, shard](StreamNumber stream) {
    links_[shard].dialling = false;
    if (stream == 0) {
      world_->After(number(), 50, 400, [this, shard] {
        if (links_[shard].stream == 0) DialShard(shard);
      });
      return;
    }
    links_[shard].stream = stream;
    Step(session::ShardConnected{shard});
  });
}

int WorkerProcess::ShardOf(StreamNumber stream) const {
  for (size_t shard = 0; shard < links_.size(); ++shard) {
    if (links_[shard].stream == stream) return static_cast<int>(shard);
  }
  return -1;
}

void WorkerProcess::ClientStreamLost(StreamNumber stream) {
  if (world_->streams().kind(stream) == StreamKind::kWorkerControl) {
    if (dialer_.Lost(stream)) Step(session::CoordinatorLost{{stream}});
    return;
  }
  const int shard = ShardOf(stream);
  if (shard < 0) return;
  links_[shard].stream = 0;
  Step(session::ShardLost{shard});
  DialShard(shard);
}

void WorkerProcess::Run(const session::ToShard& effect) {
  const size_t shard = effect.shard;
  if (shard >= links_.size() || links_[shard].stream == 0) return;
  const StreamNumber stream = links_[shard].stream;
  PushPayload payload;
  if (const auto* push = std::get_if<Push>(&effect.message)) {
    payload.computation = trainer_.NumberOf(effect.computation);
    payload.finite = trainer_.ChunkFinite(effect.computation, push->chunk);
  }
  ServerProcess* server = world_->server(world_->streams().server(stream));
  world_->streams().SendToServer(stream, [server, stream, message = effect.message, payload] {
    server->shard().FromWorker(stream, message, payload);
  });
}

void WorkerProcess::FromShard(StreamNumber stream, const ShardToWorker& message) {
  const int shard = ShardOf(stream);
  if (shard >= 0) Step(session::FromShard{shard, message});
}

void WorkerProcess::ChunkArrived(StreamNumber stream, const Chunk& chunk, uint64_t weights) {
  const int shard = ShardOf(stream);
  if (shard < 0) return;
  const BufferId buffer{++buffers_made_};
  received_[buffer] = weights;
  Step(session::ChunkArrived{shard, chunk, buffer});
}

void WorkerProcess::Run(const session::DecodeChunk& effect) {
  world_->After(number(), 1, 10, [this, effect] {
    auto payload = received_.find(effect.payload);
    if (payload == received_.end()) {
      world_->history().Fail("I8", "a worker decodes a payload that it released");
      return;
    }
    trainer_.SetWeights(effect.chunk.chunk, payload->second);
    received_.erase(payload);
    Step(session::ChunkDecoded{effect.chunk.lineage, effect.chunk.version, effect.chunk.chunk,
                               true});
  });
}

void WorkerProcess::Run(const session::ReleaseBuffer& effect) {
  if (received_.erase(effect.payload) == 0) {
    world_->history().Fail("I8", "a worker releases a payload twice");
  }
}

void WorkerProcess::Run(const session::Exit& effect) {
  if (world_->tracing()) {
    world_->Say(
        absl::StrCat("process ", number(), ": session exits ", effect.code, ": ", effect.sentence));
  }
  exited_ = true;
  if (effect.code == 3) world_->CheckNameInUse(*this);
  if (effect.code == 0 && leaving_) ++world_->figures().leaves;
  world_->Exit(number());
}

}  // namespace tenor::sim

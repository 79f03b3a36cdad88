#include "tests/sim/server_process.h"

#include "tests/sim/world.h"

namespace tenor::sim {

ServerProcess::ServerProcess(World* world, int index, ProcessNumber number)
    : Process(Role::kServer, index, number, world->now()), world_(world), shard_(world, this) {
  if (index == 0) coordinator_ = std::make_unique<CoordinatorRunner>(world, this);
}

void ServerProcess::Start() {
  if (coordinator_ != nullptr) coordinator_->Start();
  shard_.Tick();
}

void ServerProcess::Tick() {
  if (coordinator_ != nullptr) coordinator_->Tick();
  if (alive()) shard_.Tick();
}

void ServerProcess::ClientStreamLost(StreamNumber stream) { shard_.CoordinatorLost(stream); }

void ServerProcess::ServerStreamLost(StreamNumber stream) {
  if (world_->streams().kind(stream) == StreamKind::kData) {
    shard_.DataStreamLost(stream);
  } else if (coordinator_ != nullptr) {
    coordinator_->StreamLost(stream);
  }
}

}  // namespace tenor::sim

#include "tests/sim/server_process.h"

#include "absl/strings/str_cat.h"
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

std::string ServerProcess::Describe() const {
  std::string text = shard_.Describe();
  if (coordinator_ == nullptr) return text;
  const CoordinatorStatus status = coordinator_->Describe();
  absl::StrAppend(&text, "; coordinator ", StateName(status.state), " ", ToString(status.label),
                  " version ", status.version, " ", status.reason);
  for (const SeatStatus& seat : status.seats) {
    absl::StrAppend(&text, ", ", seat.name, " ", seat.state, seat.reported ? " reported" : "");
  }
  return text;
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

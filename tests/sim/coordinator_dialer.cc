#include "tests/sim/coordinator_dialer.h"

#include <utility>

#include "tests/sim/world.h"

namespace tenor::sim {

void CoordinatorDialer::Find(std::function<void(StreamNumber)> connected) {
  if (dialling_) return;
  const ProcessNumber server = world_->ResolveServer(0);
  if (stream_ != 0 && world_->streams().server(stream_) == server) return;
  dialling_ = true;
  world_->streams().Dial(kind_, self_, server, [this, connected](StreamNumber stream) {
    dialling_ = false;
    if (stream != 0) Connected(stream, connected);
  });
}

void CoordinatorDialer::Connected(StreamNumber stream,
                                  const std::function<void(StreamNumber)>& connected) {
  const StreamNumber old = std::exchange(stream_, stream);
  connected(stream);
  if (old != 0) world_->streams().HangUp(old, self_);
}

bool CoordinatorDialer::Lost(StreamNumber stream) {
  if (stream != stream_) return false;
  stream_ = 0;
  return true;
}

}  // namespace tenor::sim

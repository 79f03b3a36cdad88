#include "tests/sim/streams.h"

#include <utility>

#include "tests/sim/world.h"

namespace tenor::sim {

void Streams::Dial(StreamKind kind, ProcessNumber client, ProcessNumber server,
                   std::function<void(StreamNumber)> done) {
  const Millis delay = world_->random().Range(1, 20);
  world_->queue().At(world_->now() + delay, client, [this, kind, client, server, done] {
    if (server == 0 || !world_->process(server).alive()) {
      done(0);
      return;
    }
    streams_.push_back({kind, client, server});
    done(streams_.size());
  });
}

void Streams::SendToServer(StreamNumber number, std::function<void()> deliver) {
  const Stream& stream = streams_[number - 1];
  if (!stream.client_open) return;
  world_->network().Send(stream.client, stream.server, [this, number, deliver] {
    if (streams_[number - 1].server_open) deliver();
  });
}

void Streams::SendToClient(StreamNumber number, std::function<void()> deliver) {
  const Stream& stream = streams_[number - 1];
  if (!stream.server_open) return;
  world_->network().Send(stream.server, stream.client, [this, number, deliver] {
    if (streams_[number - 1].client_open) deliver();
  });
}

void Streams::HangUp(StreamNumber number, ProcessNumber side) {
  Stream& stream = streams_[number - 1];
  const Millis delay = world_->random().Range(1, 20);
  if (side == stream.client) {
    stream.client_open = false;
    TellServer(number, delay);
  } else {
    stream.server_open = false;
    TellClient(number, delay);
  }
}

void Streams::Reset(StreamNumber number) {
  TellServer(number, world_->random().Range(1, 20));
  TellClient(number, world_->random().Range(1, 20));
}

void Streams::ProcessDied(ProcessNumber process, bool notice) {
  for (StreamNumber number = 1; number <= streams_.size(); ++number) {
    Stream& stream = streams_[number - 1];
    if (stream.client == process) {
      stream.client_open = false;
      if (notice) TellServer(number, world_->random().Range(1, 20));
    }
    if (stream.server == process) {
      stream.server_open = false;
      TellClient(number,
                 notice ? world_->random().Range(1, 20) : world_->random().Range(500, 3000));
    }
  }
}

void Streams::TellServer(StreamNumber number, Millis delay) {
  if (!streams_[number - 1].server_open) return;
  world_->queue().At(world_->now() + delay, streams_[number - 1].server, [this, number] {
    Stream& stream = streams_[number - 1];
    if (!std::exchange(stream.server_open, false)) return;
    world_->process(stream.server).ServerStreamLost(number);
  });
}

void Streams::TellClient(StreamNumber number, Millis delay) {
  if (!streams_[number - 1].client_open) return;
  world_->queue().At(world_->now() + delay, streams_[number - 1].client, [this, number] {
    Stream& stream = streams_[number - 1];
    if (!std::exchange(stream.client_open, false)) return;
    world_->process(stream.client).ClientStreamLost(number);
  });
}

}  // namespace tenor::sim

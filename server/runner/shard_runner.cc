#include "server/runner/shard_runner.h"

#include <utility>
#include <variant>

#include "absl/time/time.h"

namespace tenor {
namespace {

constexpr absl::Duration kTick = absl::Milliseconds(50);

}  // namespace

ShardRunner::ShardRunner(shard::Config config, Engine::Options engine, ParameterSpace space,
                         const Clock& clock, FileSystem& files, CoordinatorLink& link,
                         OnExit on_exit)
    : clock_(clock),
      link_(link),
      on_exit_(std::move(on_exit)),
      shard_(std::move(config)),
      loop_(clock, kTick),
      engine_(std::move(engine), std::move(space), files,
              [this](shard::Event event) { Post(std::move(event)); }) {}

ShardRunner::~ShardRunner() { Stop(); }

void ShardRunner::Start() {
  loop_.Start([this] {
    Handle(shard::Tick());
    UpdateTotals();
  });
  link_.Start(this);
}

void ShardRunner::Stop() {
  link_.Stop();
  loop_.Stop();
}

void ShardRunner::WantToLeave() { Post(shard::WantsToLeave()); }

ShardTotals ShardRunner::Totals() const {
  ShardTotals totals;
  {
    MutexLock lock(mu_);
    totals = totals_;
  }
  totals.last_tick = loop_.last_tick();
  return totals;
}

// ---------------------------------------------------------------- entrances

ConnectionId ShardRunner::Attach(absl::string_view peer, Send send, Cancel cancel) {
  const ConnectionId connection{++next_connection_};
  streams_.Add(connection.value, std::string(peer), {std::move(send), std::move(cancel)});
  return connection;
}

void ShardRunner::Receive(ConnectionId connection, WorkerToShard message, Payload payload) {
  loop_.Post(
      [this, connection, message = std::move(message), payload = std::move(payload)]() mutable {
        const shard::ConnectionId from{connection.value};
        if (auto* hello = std::get_if<Hello>(&message)) {
          Handle(shard::HelloArrived{from, std::move(*hello)});
        } else if (auto* pull = std::get_if<Pull>(&message)) {
          Handle(shard::PullArrived{from, std::move(*pull)});
        } else {
          TakePush(connection, std::move(std::get<Push>(message)), std::move(payload));
        }
      });
}

void ShardRunner::Detach(ConnectionId connection) {
  if (!streams_.Remove(connection.value)) return;
  loop_.Post([this, connection] {
    EndSendsOf(connection.value);
    Handle(shard::StreamClosed{{connection.value}});
  });
}

void ShardRunner::SendDone(ConnectionId connection, const Chunk& chunk) {
  loop_.Post([this, sending = Sending{connection.value, chunk.lineage, chunk.version, chunk.chunk,
                                      chunk.codec}] { EndSend(sending); });
}

shard::ConnectionId ShardRunner::OnConnected() {
  const shard::ConnectionId connection{++next_connection_};
  Post(shard::CoordinatorConnected{connection});
  return connection;
}

void ShardRunner::OnOrder(shard::ConnectionId connection, CoordinatorToShard order) {
  Post(shard::OrderFrom{connection, std::move(order)});
}

void ShardRunner::OnLost(shard::ConnectionId connection, absl::string_view) {
  Post(shard::CoordinatorLost{connection});
}

// ---------------------------------------------------------------- loop

void ShardRunner::Post(shard::Event event) {
  loop_.Post([this, event = std::move(event)] { Handle(event); });
}

void ShardRunner::Handle(const shard::Event& event) {
  for (const shard::Effect& effect : shard_.Handle(clock_.Now(), event)) {
    std::visit([this](const auto& one) { Do(one); }, effect);
  }
}

void ShardRunner::TakePush(ConnectionId connection, Push push, Payload payload) {
  BufferId buffer;
  if (payload.size() != 0) {
    {
      MutexLock lock(mu_);
      totals_.payload_bytes_in += static_cast<int64_t>(payload.size());
      totals_.held_bytes += static_cast<int64_t>(payload.size());
    }
    buffer.value = ++next_buffer_;
    buffers_.emplace(buffer, std::move(payload));
  }
  Handle(shard::PushArrived{{connection.value}, std::move(push), buffer});
}

void ShardRunner::EndSendsOf(uint64_t connection) {
  // The smallest key of this connection.
  const Sending first{connection, 0, 0, 0, 0};
  for (auto next = sending_.lower_bound(first);
       next != sending_.end() && next->first.connection == connection;
       next = sending_.lower_bound(first)) {
    const shard::PayloadId payload = next->second;
    sending_.erase(next);
    Handle(shard::SendDone{{connection}, payload});
  }
}

void ShardRunner::EndSend(const Sending& sending) {
  const auto found = sending_.find(sending);
  // Those of a stream that was detached have ended with it.
  if (found == sending_.end()) return;
  const shard::PayloadId payload = found->second;
  sending_.erase(found);
  Handle(shard::SendDone{{sending.connection}, payload});
}

void ShardRunner::UpdateTotals() {
  Status status = shard_.status();
  MutexLock lock(mu_);
  totals_.status = std::move(status);
}

Payload ShardRunner::TakeBuffer(BufferId buffer) {
  const auto found = buffers_.find(buffer);
  if (found == buffers_.end()) return Payload();
  Payload payload = std::move(found->second);
  buffers_.erase(found);
  MutexLock lock(mu_);
  totals_.held_bytes -= static_cast<int64_t>(payload.size());
  return payload;
}

// ---------------------------------------------------------------- effects

void ShardRunner::Do(const shard::ToCoordinator& effect) {
  link_.Send(effect.connection, effect.status);
}

void ShardRunner::Do(const shard::FindCoordinator&) { link_.Find(); }

void ShardRunner::Do(const shard::ToWorker& effect) {
  streams_.With(effect.connection.value, [&](const Stream& stream, const std::string&) {
    stream.send(effect.message, Payload());
  });
}

void ShardRunner::Do(const shard::SendChunk& effect) {
  const Chunk& chunk = effect.chunk;
  const Sending sending{effect.connection.value, chunk.lineage, chunk.version, chunk.chunk,
                        chunk.codec};
  sending_.emplace(sending, effect.payload);
  const Payload payload = engine_.payload(effect.payload);
  const bool sent =
      streams_.With(effect.connection.value,
                    [&](const Stream& stream, const std::string&) { stream.send(chunk, payload); });
  if (sent) {
    MutexLock lock(mu_);
    totals_.payload_bytes_out += static_cast<int64_t>(payload.size());
  } else {
    loop_.Post([this, sending] { EndSend(sending); });
  }
}

void ShardRunner::Do(const shard::CancelStream& effect) {
  streams_.With(effect.connection.value, [](const Stream& stream, const std::string&) {
    if (stream.cancel != nullptr) stream.cancel();
  });
}

void ShardRunner::Do(const shard::ReleaseBuffer& effect) { TakeBuffer(effect.buffer); }

void ShardRunner::Do(const shard::StartReduce& effect) {
  engine_.StartReduce(effect, TakeBuffer(effect.buffer));
}

void ShardRunner::Do(const shard::StartNorms& effect) { engine_.StartNorms(effect); }
void ShardRunner::Do(const shard::StartApply& effect) { engine_.StartApply(effect); }
void ShardRunner::Do(const shard::StartEncode& effect) { engine_.StartEncode(effect); }
void ShardRunner::Do(const shard::DropPayload& effect) { engine_.DropPayload(effect.payload); }
void ShardRunner::Do(const shard::StartSnapshot& effect) { engine_.StartSnapshot(effect); }
void ShardRunner::Do(const shard::StartSave& effect) { engine_.StartSave(effect); }
void ShardRunner::Do(const shard::DeleteFile& effect) { engine_.DeleteFile(effect); }
void ShardRunner::Do(const shard::StartLoad& effect) { engine_.StartLoad(effect); }
void ShardRunner::Do(const shard::Exit& effect) { on_exit_(effect.code, effect.sentence); }

}  // namespace tenor

#include "server/core/shard/pull_service.h"

#include <algorithm>
#include <utility>

namespace tenor::shard {

PullService::PullService(std::vector<ChunkNumber> own, int32_t window)
    : own_(std::move(own)), window_(static_cast<size_t>(std::max(window, 1))) {}

void PullService::BeginVersion(Lineage lineage, Version version, spec::Codec::Id codec,
                               Operations* operations, std::vector<Effect>* effects) {
  SayGone(cache_.BeginVersion(lineage, version, codec, effects), lineage, version, effects);
  serving_ = true;
  for (const auto& [connection, chunks] : std::exchange(next_, {})) Queue(connection, chunks);
  Pump(operations, effects);
}

void PullService::GiveUp(Lineage lineage, Version version, std::vector<Effect>* effects) {
  serving_ = false;
  std::set<ConnectionId> disappointed = cache_.Retire(effects);
  for (const auto& [connection, chunks] : std::exchange(next_, {})) disappointed.insert(connection);
  SayGone(std::move(disappointed), lineage, version, effects);
}

void PullService::SayGone(std::set<ConnectionId> disappointed, Lineage lineage, Version version,
                          std::vector<Effect>* effects) {
  for (auto& [connection, line] : lines_) {
    if (!std::exchange(line.queued, {}).empty()) disappointed.insert(connection);
    // What was on the way to an encode has no send whose end would count it out.
    if (disappointed.contains(connection)) {
      std::erase_if(line.on_the_way, [this, connection = connection](PayloadId id) {
        return !cache_.IsSending(connection, id);
      });
    }
  }
  for (const ConnectionId connection : disappointed) {
    effects->push_back(ToWorker{connection, Gone{lineage, version}});
  }
}

std::set<ChunkNumber> PullService::Own(const std::vector<ChunkNumber>& chunks) const {
  if (chunks.empty()) return {own_.begin(), own_.end()};
  std::set<ChunkNumber> result;
  for (const ChunkNumber chunk : chunks) {
    if (std::binary_search(own_.begin(), own_.end(), chunk)) result.insert(chunk);
  }
  return result;
}

void PullService::Queue(ConnectionId connection, const std::set<ChunkNumber>& chunks) {
  Line& line = lines_[connection];
  for (const ChunkNumber chunk : chunks) {
    if (!line.on_the_way.contains(cache_.Find(chunk))) line.queued.insert(chunk);
  }
}

void PullService::AskPresent(ConnectionId connection, const std::vector<ChunkNumber>& chunks,
                             Operations* operations, std::vector<Effect>* effects) {
  Queue(connection, Own(chunks));
  Pump(operations, effects);
}

void PullService::AskNext(ConnectionId connection, const std::vector<ChunkNumber>& chunks) {
  next_[connection] = Own(chunks);
}

void PullService::Pump(Operations* operations, std::vector<Effect>* effects) {
  if (!serving_ || cache_.full()) return;
  for (auto& [connection, line] : lines_) {
    while (!line.queued.empty() && line.on_the_way.size() < window_) {
      const ChunkNumber chunk = line.queued.extract(line.queued.begin()).value();
      line.on_the_way.insert(cache_.Request(connection, chunk, operations, effects));
    }
  }
}

void PullService::OnEncodeDone(OperationId operation, Operations* operations,
                               std::vector<Effect>* effects) {
  cache_.OnEncodeDone(operation, operations, effects);
  Pump(operations, effects);
}

void PullService::OnSendDone(const SendDone& done, Operations* operations,
                             std::vector<Effect>* effects) {
  cache_.OnSendDone(done, effects);
  const auto line = lines_.find(done.connection);
  if (line != lines_.end()) line->second.on_the_way.erase(done.payload);
  Pump(operations, effects);
}

void PullService::OnStreamClosed(ConnectionId connection, Operations* operations,
                                 std::vector<Effect>* effects) {
  cache_.OnStreamClosed(connection);
  lines_.erase(connection);
  next_.erase(connection);
  Pump(operations, effects);
}

}  // namespace tenor::shard

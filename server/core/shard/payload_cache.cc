#include "server/core/shard/payload_cache.h"

#include "base/check.h"

namespace tenor::shard {

std::set<ConnectionId> PayloadCache::BeginVersion(Lineage lineage, Version version,
                                                  spec::Codec::Id codec,
                                                  std::vector<Effect>* effects) {
  std::set<ConnectionId> disappointed = Retire(effects);
  version_.lineage = lineage;
  version_.version = version;
  version_.codec = codec;
  return disappointed;
}

std::set<ConnectionId> PayloadCache::Retire(std::vector<Effect>* effects) {
  std::set<ConnectionId> disappointed;
  const std::map<ChunkNumber, PayloadId> present = std::move(present_);
  present_.clear();
  summing_.clear();
  for (const auto& [chunk, id] : present) {
    Payload& payload = payloads_.at(id);
    disappointed.insert(payload.waiting.begin(), payload.waiting.end());
    payload.waiting.clear();
    payload.retired = true;
    DropIfIdle(id, effects);
  }
  if (!present.empty()) ++generation_;
  CancelOlderThanPrevious(effects);
  return disappointed;
}

void PayloadCache::CancelOlderThanPrevious(std::vector<Effect>* effects) const {
  std::set<ConnectionId> cancelled;
  for (const auto& [id, payload] : payloads_) {
    if (payload.generation + 2 > generation_) continue;
    cancelled.insert(payload.sending.begin(), payload.sending.end());
  }
  for (const ConnectionId connection : cancelled) effects->push_back(CancelStream{connection});
}

bool PayloadCache::full() const {
  // Ids grow with generations: the first payload is of the oldest one.
  return !payloads_.empty() && payloads_.begin()->second.generation + 2 <= generation_;
}

PayloadId PayloadCache::Request(ConnectionId connection, ChunkNumber chunk, Operations* operations,
                                std::vector<Effect>* effects) {
  CHECK(!full());
  PayloadId id = Find(chunk);
  if (id != PayloadId{} && payloads_.at(id).encoded) {
    Send(id, connection, effects);
    return id;
  }
  if (id == PayloadId{}) {
    id = PayloadId{++last_payload_};
    Payload& payload = payloads_[id];
    payload.chunk = version_;
    payload.chunk.chunk = chunk;
    payload.generation = generation_;
    present_.emplace(chunk, id);
    const OperationId operation = operations->Begin(OperationKind::kEncode);
    encoding_.emplace(operation, id);
    effects->push_back(StartEncode{operation, id, chunk, version_.codec});
  }
  payloads_.at(id).waiting.insert(connection);
  return id;
}

PayloadId PayloadCache::Find(ChunkNumber chunk) const {
  const auto it = present_.find(chunk);
  return it == present_.end() ? PayloadId{} : it->second;
}

bool PayloadCache::IsSending(ConnectionId connection, PayloadId id) const {
  const auto it = payloads_.find(id);
  return it != payloads_.end() && it->second.sending.contains(connection);
}

void PayloadCache::SumBegins(ChunkNumber chunk, std::vector<Effect>* effects) {
  summing_.insert(chunk);
  const PayloadId id = Find(chunk);
  if (id != PayloadId{}) DropIfIdle(id, effects);
}

void PayloadCache::OnEncodeDone(OperationId operation, Operations* operations,
                                std::vector<Effect>* effects) {
  if (!operations->End(operation, OperationKind::kEncode)) return;
  const PayloadId id = encoding_.extract(operation).mapped();
  Payload& payload = payloads_.at(id);
  payload.encoded = true;
  const std::set<ConnectionId> waiting = std::move(payload.waiting);
  payload.waiting.clear();
  for (const ConnectionId connection : waiting) Send(id, connection, effects);
  DropIfIdle(id, effects);
}

void PayloadCache::Send(PayloadId id, ConnectionId connection, std::vector<Effect>* effects) {
  Payload& payload = payloads_.at(id);
  payload.sending.insert(connection);
  effects->push_back(SendChunk{connection, payload.chunk, id});
}

void PayloadCache::OnSendDone(const SendDone& done, std::vector<Effect>* effects) {
  const auto it = payloads_.find(done.payload);
  if (it == payloads_.end()) return;
  if (it->second.sending.erase(done.connection) == 0) return;
  DropIfIdle(done.payload, effects);
}

void PayloadCache::OnStreamClosed(ConnectionId connection) {
  for (auto& [id, payload] : payloads_) payload.waiting.erase(connection);
}

void PayloadCache::DropIfIdle(PayloadId id, std::vector<Effect>* effects) {
  const Payload& payload = payloads_.at(id);
  const ChunkNumber chunk = payload.chunk.chunk;
  if (!payload.encoded || !payload.sending.empty()) return;
  if (!payload.retired && !summing_.contains(chunk)) return;
  if (!payload.retired) present_.erase(chunk);
  payloads_.erase(id);
  effects->push_back(DropPayload{id});
}

}  // namespace tenor::shard

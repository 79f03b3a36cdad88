#include "worker/session/push_set.h"

namespace tenor::session {

PushSet::PushSet(ChunkNumber chunks, absl::Duration retry, absl::Duration repeat)
    : retry_(retry), repeat_(repeat), items_(chunks) {}

void PushSet::Clear() {
  items_.assign(items_.size(), Item{});
  ready_ = acknowledged_ = 0;
  poisoned_ = pushed_ = false;
}

void PushSet::BeginLabel() {
  for (Item& item : items_) {
    item.acknowledged = false;
    item.due.reset();
  }
  acknowledged_ = 0;
  pushed_ = false;
}

bool PushSet::OnWhole(ChunkNumber chunk, int64_t samples, bool finite) {
  if (!Has(chunk) || items_[chunk].state != State::kMissing) return false;
  Item& item = items_[chunk];
  item.samples = samples;
  poisoned_ = poisoned_ || !finite;
  if (poisoned_ || samples == 0) {
    Ready(&item, poisoned_, 0);
    return false;
  }
  item.state = State::kEncoding;
  return true;
}

void PushSet::OnEncoded(ChunkNumber chunk, bool finite, int64_t bytes) {
  if (!Has(chunk) || items_[chunk].state != State::kEncoding) return;
  poisoned_ = poisoned_ || !finite;
  Ready(&items_[chunk], poisoned_, bytes);
}

void PushSet::Ready(Item* item, bool poison, int64_t bytes) {
  item->state = State::kReady;
  item->poison = poison;
  item->bytes = poison ? 0 : bytes;
  ++ready_;
}

bool PushSet::OnAck(ChunkNumber chunk) {
  if (!Has(chunk) || items_[chunk].state != State::kReady || items_[chunk].acknowledged) {
    return false;
  }
  items_[chunk].acknowledged = true;
  ++acknowledged_;
  return true;
}

void PushSet::OnRetry(absl::Duration now, ChunkNumber chunk) {
  if (Has(chunk)) items_[chunk].due = now + retry_;
}

void PushSet::OnStale(absl::Duration now, ChunkNumber chunk) {
  if (Has(chunk)) items_[chunk].due = now + repeat_;
}

void PushSet::OnReconnected(int32_t shard, int32_t shards) {
  for (ChunkNumber c = shard; c < chunks(); c += shards) items_[c].due.reset();
}

std::vector<Push> PushSet::Due(absl::Duration now, int32_t shard, int32_t shards,
                               spec::Codec::Id codec) {
  std::vector<Push> pushes;
  for (ChunkNumber c = shard; c < chunks(); c += shards) {
    Item& item = items_[c];
    if (item.state != State::kReady || item.acknowledged) continue;
    if (item.due.has_value() && now < *item.due) continue;
    item.due = now + repeat_;
    Push push;
    push.chunk = c;
    push.codec = codec;
    push.poison = item.poison;
    push.samples = item.samples;
    push.bytes = item.bytes;
    pushes.push_back(push);
  }
  pushed_ = pushed_ || !pushes.empty();
  return pushes;
}

}  // namespace tenor::session

#include "worker/session/pull_set.h"

namespace tenor::session {

PullSet::PullSet(ChunkNumber chunks, absl::Duration repeat)
    : repeat_(repeat), states_(chunks, State::kMissing) {}

void PullSet::SetTarget(Lineage lineage, Version version) {
  const std::pair<Lineage, Version> target{lineage, version};
  if (target_ == target) return;
  Forget();
  target_ = target;
}

void PullSet::Forget() {
  target_.reset();
  states_.assign(states_.size(), State::kMissing);
  here_ = 0;
  asked_.clear();
}

bool PullSet::Complete(Lineage lineage, Version version) const {
  return target_ == std::pair{lineage, version} && complete();
}

bool PullSet::Wants(const Chunk& chunk) const {
  if (target_ != std::pair{chunk.lineage, chunk.version}) return false;
  if (chunk.chunk < 0 || chunk.chunk >= chunks()) return false;
  return states_[chunk.chunk] == State::kMissing;
}

void PullSet::OnArrived(absl::Duration now, int32_t shard, const Chunk& chunk) {
  states_[chunk.chunk] = State::kDecoding;
  asked_[shard] = now;
}

bool PullSet::OnDecoded(Lineage lineage, Version version, ChunkNumber chunk, bool ok) {
  if (target_ != std::pair{lineage, version}) return false;
  if (chunk < 0 || chunk >= chunks() || states_[chunk] != State::kDecoding) return false;
  states_[chunk] = ok ? State::kHere : State::kMissing;
  if (ok) ++here_;
  return ok;
}

std::optional<Pull> PullSet::Due(absl::Duration now, int32_t shard, int32_t shards) {
  if (!target_.has_value() || here_ == chunks()) return std::nullopt;
  const auto asked = asked_.find(shard);
  if (asked != asked_.end() && now - asked->second < repeat_) return std::nullopt;
  Pull pull;
  pull.lineage = target_->first;
  pull.version = target_->second;
  bool all = true;
  for (ChunkNumber c = shard; c < chunks(); c += shards) {
    if (states_[c] == State::kMissing) pull.chunks.push_back(c);
    all = all && states_[c] == State::kMissing;
  }
  if (pull.chunks.empty()) return std::nullopt;
  if (all) pull.chunks.clear();
  asked_[shard] = now;
  return pull;
}

}  // namespace tenor::session

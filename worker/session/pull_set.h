#ifndef TENOR_WORKER_SESSION_PULL_SET_H_
#define TENOR_WORKER_SESSION_PULL_SET_H_

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "server/core/messages.h"
#include "server/core/names.h"

namespace tenor::session {

// Which chunks of which weights are here. One target (lineage, version) at a time; a chunk counts
// only if it names the target. Single-threaded.
class PullSet {
 public:
  // repeat: a shard is asked again when none of its chunks came for so long.
  PullSet(ChunkNumber chunks, absl::Duration repeat);

  // What is here is kept if it is of this target already.
  void SetTarget(Lineage lineage, Version version);
  // What is here is not to be used any more.
  void Forget();

  // All chunks of (lineage, version) are here.
  bool Complete(Lineage lineage, Version version) const;
  bool complete() const { return target_.has_value() && here_ == chunks(); }

  // A chunk that is asked for and neither here nor being decoded.
  bool Wants(const Chunk& chunk) const;
  // REQUIRES: Wants(chunk).
  void OnArrived(absl::Duration now, int32_t shard, const Chunk& chunk);
  // Returns whether it was news.
  bool OnDecoded(Lineage lineage, Version version, ChunkNumber chunk, bool ok);

  // What to ask of shard k of K now, if anything; counts as asked.
  std::optional<Pull> Due(absl::Duration now, int32_t shard, int32_t shards);
  // Ask the shard at the next occasion.
  void AskAgain(int32_t shard) { asked_.erase(shard); }

 private:
  enum class State { kMissing, kDecoding, kHere };
  ChunkNumber chunks() const { return static_cast<ChunkNumber>(states_.size()); }

  const absl::Duration repeat_;
  std::optional<std::pair<Lineage, Version>> target_;
  std::vector<State> states_;
  ChunkNumber here_ = 0;
  std::map<int32_t, absl::Duration> asked_;  // or a chunk came, the later
};

}  // namespace tenor::session

#endif  // TENOR_WORKER_SESSION_PULL_SET_H_

#ifndef TENOR_WORKER_SESSION_PUSH_SET_H_
#define TENOR_WORKER_SESSION_PUSH_SET_H_

#include <optional>
#include <vector>

#include "absl/time/time.h"
#include "server/core/messages.h"
#include "server/core/names.h"

namespace tenor::session {

// The chunks of the kept gradient: which are ready to be pushed, and which are acknowledged under
// the newest label. Single-threaded.
class PushSet {
 public:
  // retry: after a Retry; repeat: after a Stale or no answer.
  PushSet(ChunkNumber chunks, absl::Duration retry, absl::Duration repeat);

  // The gradient is given up.
  void Clear();
  // Nothing counts as acknowledged under a new label; everything ready is pushed again.
  void BeginLabel();

  // A gradient's chunk became whole. Returns whether it has to be encoded: not if it or an earlier
  // chunk is poison, nor without samples.
  bool OnWhole(ChunkNumber chunk, int64_t samples, bool finite);
  void OnEncoded(ChunkNumber chunk, bool finite, int64_t bytes);
  // Returns whether it was news.
  bool OnAck(ChunkNumber chunk);
  void OnRetry(absl::Duration now, ChunkNumber chunk);
  // A newer label exists and its directive is on the way: no haste.
  void OnStale(absl::Duration now, ChunkNumber chunk);
  // The shard's stream is new: repeat what it did not acknowledge.
  void OnReconnected(int32_t shard, int32_t shards);

  bool all_ready() const { return ready_ == chunks(); }
  bool all_acknowledged() const { return acknowledged_ == chunks(); }
  bool poisoned() const { return poisoned_; }
  // Some chunk went out under this label.
  bool pushed() const { return pushed_; }

  // What to push to shard k of K now, in chunk order, without names; counts as pushed.
  std::vector<Push> Due(absl::Duration now, int32_t shard, int32_t shards, spec::Codec::Id codec);

 private:
  enum class State { kMissing, kEncoding, kReady };
  struct Item {
    State state = State::kMissing;
    bool poison = false;
    bool acknowledged = false;
    int64_t samples = 0;
    int64_t bytes = 0;
    std::optional<absl::Duration> due;  // none = at once
  };
  ChunkNumber chunks() const { return static_cast<ChunkNumber>(items_.size()); }
  bool Has(ChunkNumber chunk) const { return chunk >= 0 && chunk < chunks(); }
  void Ready(Item* item, bool poison, int64_t bytes);

  const absl::Duration retry_;
  const absl::Duration repeat_;
  std::vector<Item> items_;
  ChunkNumber ready_ = 0;
  ChunkNumber acknowledged_ = 0;
  bool poisoned_ = false;
  bool pushed_ = false;
};

}  // namespace tenor::session

#endif  // TENOR_WORKER_SESSION_PUSH_SET_H_

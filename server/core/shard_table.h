#ifndef TENOR_SERVER_CORE_SHARD_TABLE_H_
#define TENOR_SERVER_CORE_SHARD_TABLE_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "server/core/events.h"
#include "server/core/messages.h"
#include "server/core/names.h"

namespace tenor {

// One server index and the process that has it.
struct Peer {
  std::optional<ProcessId> process;
  ConnectionId connection;
  bool stream_open = false;
  absl::Duration heard;  // core's clock
  Status last;
  bool was_replaced = false;                                // another process had the index before
  absl::Duration installed_at = -absl::InfiniteDuration();  // last Install after a load error
};

// Which process is which server (docs/protocol.md 4): a process counts only after it returned a
// nonce, and takes an index only when the present one is silent or its stream closed.
// Thread-compatible.
class ShardTable {
 public:
  ShardTable(int32_t shards, ProcessId coordinator, absl::Duration grace);

  enum class Answer {
    kPresent,   // from the process that has the index; noted
    kBusy,      // another process has it and is alive
    kAskNonce,  // send HelloAck(*nonce)
    kWait,      // a HelloAck went out this tick
    kTaken,     // the process has the index now; it was free
    kReplaced,  // the process has the index now; another had it
  };
  // Notes one Status. REQUIRES: 0 <= status.shard < shards.
  Answer Note(ConnectionId connection, const Status& status, absl::Duration clock,
              int64_t tick_number, uint64_t* nonce);
  // Forgets what was asked on it; the index of its process can be taken at once.
  void StreamClosed(ConnectionId connection);

  int32_t size() const { return static_cast<int32_t>(peers_.size()); }
  Peer& at(int32_t shard) { return peers_[shard]; }
  const Peer& at(int32_t shard) const { return peers_[shard]; }
  const std::vector<Peer>& peers() const { return peers_; }

  // All K have this lineage loaded.
  bool AllInstalled(Lineage lineage) const;
  // All K were heard within `limit` and report this label open.
  bool AllFresh(const Label& label, absl::Duration clock, absl::Duration limit) const;
  // Addresses and processes, index = shard.
  std::vector<ShardAddress> Addresses() const;

 private:
  struct Candidate {
    ConnectionId connection;
    uint64_t nonce = 0;
    int64_t asked_in_tick = -1;
  };

  bool Alive(const Peer& peer, absl::Duration clock) const;
  Candidate& CandidateFor(const Status& status);

  const ProcessId coordinator_;
  const absl::Duration grace_;
  std::vector<Peer> peers_;
  std::vector<std::map<ProcessId, Candidate>> candidates_;  // index = shard
  uint64_t nonces_ = 0;
};

}  // namespace tenor

#endif  // TENOR_SERVER_CORE_SHARD_TABLE_H_

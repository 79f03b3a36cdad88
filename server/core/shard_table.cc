#include "server/core/shard_table.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "absl/time/time.h"
#include "base/random.h"
#include "server/core/events.h"
#include "server/core/messages.h"
#include "server/core/names.h"

namespace tenor {

namespace {

// Processes of one index that may be asked for a nonce at a time; more push the lowest one out.
constexpr size_t kMaxCandidates = 16;

}  // namespace

ShardTable::ShardTable(int32_t shards, ProcessId coordinator, absl::Duration grace)
    : coordinator_(coordinator), grace_(grace), peers_(shards), candidates_(shards) {}

bool ShardTable::Alive(const Peer& peer, absl::Duration clock) const {
  return peer.process.has_value() && peer.stream_open && clock - peer.heard < grace_;
}

ShardTable::Candidate& ShardTable::CandidateFor(const Status& status) {
  std::map<ProcessId, Candidate>& candidates = candidates_[status.shard];
  if (candidates.count(status.process) == 0 && candidates.size() >= kMaxCandidates) {
    candidates.erase(candidates.begin());
  }
  Candidate& candidate = candidates[status.process];
  if (candidate.nonce == 0) candidate.nonce = Mix64(coordinator_.value ^ Mix64(++nonces_)) | 1;
  return candidate;
}

ShardTable::Answer ShardTable::Note(ConnectionId connection, const Status& status,
                                    absl::Duration clock, int64_t tick_number, uint64_t* nonce) {
  Peer& peer = peers_[status.shard];
  Answer answer = Answer::kPresent;
  if (peer.process != status.process) {
    if (Alive(peer, clock)) return Answer::kBusy;
    Candidate& candidate = CandidateFor(status);
    candidate.connection = connection;
    if (status.nonce != candidate.nonce) {
      if (candidate.asked_in_tick == tick_number) return Answer::kWait;
      candidate.asked_in_tick = tick_number;
      *nonce = candidate.nonce;
      return Answer::kAskNonce;
    }
    answer = peer.process.has_value() ? Answer::kReplaced : Answer::kTaken;
    candidates_[status.shard].clear();
    peer = Peer();
    peer.was_replaced = answer == Answer::kReplaced;
  }
  peer.process = status.process;
  peer.connection = connection;
  peer.stream_open = true;
  peer.heard = clock;
  peer.last = status;
  return answer;
}

void ShardTable::StreamClosed(ConnectionId connection) {
  for (Peer& peer : peers_) {
    if (peer.connection == connection) peer.stream_open = false;
  }
  for (auto& candidates : candidates_) {
    std::erase_if(candidates, [&](const auto& x) { return x.second.connection == connection; });
  }
}

bool ShardTable::AllInstalled(Lineage lineage) const {
  return std::all_of(peers_.begin(), peers_.end(), [&](const Peer& peer) {
    return peer.process.has_value() && peer.last.lineage == lineage &&
           peer.last.phase >= ShardPhase::kIdle;
  });
}

bool ShardTable::AllFresh(const Label& label, absl::Duration clock, absl::Duration limit) const {
  return std::all_of(peers_.begin(), peers_.end(), [&](const Peer& peer) {
    return peer.process.has_value() && clock - peer.heard <= limit && peer.last.open == label;
  });
}

std::vector<ShardAddress> ShardTable::Addresses() const {
  std::vector<ShardAddress> addresses;
  for (const Peer& peer : peers_) {
    addresses.push_back({peer.last.address, peer.process.value_or(ProcessId{})});
  }
  return addresses;
}

}  // namespace tenor

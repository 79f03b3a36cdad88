#ifndef TENOR_SERVER_CORE_SHARD_PAYLOAD_CACHE_H_
#define TENOR_SERVER_CORE_SHARD_PAYLOAD_CACHE_H_

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "server/core/shard/events.h"
#include "server/core/shard/operations.h"

namespace tenor::shard {

// The encoded chunks of the present version and of the one before it, as far as they are still
// being sent. A chunk is encoded at its first request and shared by all that pull it.
// Single-threaded.
//
// Invariants: a payload is dropped once, when it is no longer kept and its last encode and send
// have ended; payloads of at most two versions live.
class PayloadCache {
 public:
  // The version (lineage, version) begins, encoded with `codec`: nothing older is given out.
  // Streams that still send an older version than the one before are cancelled. Returns the
  // connections that waited for an encode of the old version: they get nothing of it.
  std::set<ConnectionId> BeginVersion(Lineage lineage, Version version, spec::Codec::Id codec,
                                      std::vector<Effect>* effects);
  // Nothing is given out until the next BeginVersion. Returns as BeginVersion.
  std::set<ConnectionId> Retire(std::vector<Effect>* effects);

  // A third version would begin to live.
  bool full() const;

  // Sends the chunk to the connection, after encoding it where needed. REQUIRES: !full(), a version
  // has begun, no Apply or Load in flight.
  PayloadId Request(ConnectionId connection, ChunkNumber chunk, Operations* operations,
                    std::vector<Effect>* effects);
  // The payload of the present version that this chunk has now; none = not encoded.
  PayloadId Find(ChunkNumber chunk) const;
  bool IsSending(ConnectionId connection, PayloadId id) const;

  // The chunk's buffer is wanted for its sum: its payload is kept only as long as it is being sent.
  void SumBegins(ChunkNumber chunk, std::vector<Effect>* effects);
  void RoundEnds() { summing_.clear(); }

  void OnEncodeDone(OperationId operation, Operations* operations, std::vector<Effect>* effects);
  void OnSendDone(const SendDone& done, std::vector<Effect>* effects);
  void OnStreamClosed(ConnectionId connection);

 private:
  struct Payload {
    Chunk chunk;
    uint64_t generation = 0;
    bool encoded = false;
    bool retired = false;
    std::set<ConnectionId> waiting;  // for the encode
    std::set<ConnectionId> sending;  // a connection sends a payload at most once at a time
  };

  void Send(PayloadId id, ConnectionId connection, std::vector<Effect>* effects);
  void CancelOlderThanPrevious(std::vector<Effect>* effects) const;
  // Drops it if nobody uses it and it is not kept.
  void DropIfIdle(PayloadId id, std::vector<Effect>* effects);

  Chunk version_;  // lineage, version and codec of the present one
  uint64_t generation_ = 0;
  uint64_t last_payload_ = 0;
  std::map<PayloadId, Payload> payloads_;
  std::map<ChunkNumber, PayloadId> present_;
  std::map<OperationId, PayloadId> encoding_;
  std::set<ChunkNumber> summing_;
};

}  // namespace tenor::shard

#endif  // TENOR_SERVER_CORE_SHARD_PAYLOAD_CACHE_H_

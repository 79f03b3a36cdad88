#ifndef TENOR_SERVER_CORE_SHARD_PULL_SERVICE_H_
#define TENOR_SERVER_CORE_SHARD_PULL_SERVICE_H_

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "server/core/shard/events.h"
#include "server/core/shard/operations.h"
#include "server/core/shard/payload_cache.h"

namespace tenor::shard {

// Who pulls what: for each connection the chunks of the present version that it still wants, a
// window of chunks being encoded or sent, and at most one entry that waits for the next version.
// Single-threaded. A repeated pull asks for nothing twice that is queued or on its way.
class PullService {
 public:
  // own: the chunks of this shard, in order. window: chunks of one connection on their way.
  PullService(std::vector<ChunkNumber> own, int32_t window);

  // The weights are now (lineage, version): what waited for it is queued, who still waits for an
  // older one hears Gone. Serving begins.
  void BeginVersion(Lineage lineage, Version version, spec::Codec::Id codec, Operations* operations,
                    std::vector<Effect>* effects);
  // The weights are given up for those of `lineage`: everybody hears Gone. Serving ends.
  void GiveUp(Lineage lineage, Version version, std::vector<Effect>* effects);

  // The weights are about to change: no further encode begins until BeginVersion.
  void Pause() { serving_ = false; }

  // Chunks of the present version; none named = all. Names of foreign chunks are passed over.
  void AskPresent(ConnectionId connection, const std::vector<ChunkNumber>& chunks,
                  Operations* operations, std::vector<Effect>* effects);
  // Chunks of the version after the present one: replaces what this connection waited for.
  void AskNext(ConnectionId connection, const std::vector<ChunkNumber>& chunks);

  void SumBegins(ChunkNumber chunk, std::vector<Effect>* effects) {
    cache_.SumBegins(chunk, effects);
  }
  void RoundEnds() { cache_.RoundEnds(); }

  void OnEncodeDone(OperationId operation, Operations* operations, std::vector<Effect>* effects);
  void OnSendDone(const SendDone& done, Operations* operations, std::vector<Effect>* effects);
  void OnStreamClosed(ConnectionId connection, Operations* operations,
                      std::vector<Effect>* effects);

 private:
  struct Line {
    std::set<ChunkNumber> queued;    // of the present version
    std::set<PayloadId> on_the_way;  // of any version
  };

  std::set<ChunkNumber> Own(const std::vector<ChunkNumber>& chunks) const;
  void Queue(ConnectionId connection, const std::set<ChunkNumber>& chunks);
  void Pump(Operations* operations, std::vector<Effect>* effects);
  void SayGone(std::set<ConnectionId> disappointed, Lineage lineage, Version version,
               std::vector<Effect>* effects);

  const std::vector<ChunkNumber> own_;
  const size_t window_;
  bool serving_ = false;
  PayloadCache cache_;
  std::map<ConnectionId, Line> lines_;
  std::map<ConnectionId, std::set<ChunkNumber>> next_;
};

}  // namespace tenor::shard

#endif  // TENOR_SERVER_CORE_SHARD_PULL_SERVICE_H_

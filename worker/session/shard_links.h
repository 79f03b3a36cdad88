#ifndef TENOR_WORKER_SESSION_SHARD_LINKS_H_
#define TENOR_WORKER_SESSION_SHARD_LINKS_H_

#include <vector>

#include "absl/time/time.h"
#include "server/core/messages.h"

namespace tenor::session {

// The table of shards and who of them is connected and has accepted our Hello. Single-threaded.
class ShardLinks {
 public:
  explicit ShardLinks(absl::Duration hello_repeat) : hello_repeat_(hello_repeat) {}

  // Returns whether it is another table than before; then all connections to shards whose entry
  // changed count as lost. An empty table says nothing.
  bool SetTable(const std::vector<ShardAddress>& table);
  const std::vector<ShardAddress>& table() const { return table_; }
  int32_t shards() const { return static_cast<int32_t>(table_.size()); }

  void OnConnected(int32_t shard);
  void OnLost(int32_t shard);
  void OnHelloOk(int32_t shard);
  // Every shard is to be greeted anew, as another incarnation.
  void GreetAgain();

  bool connected(int32_t shard) const { return Has(shard) && links_[shard].connected; }
  // There is a table and every shard in it accepted our Hello.
  bool all_greeted() const;
  // A Hello is due to the shard; counts as sent.
  bool HelloDue(absl::Duration now, int32_t shard);

 private:
  struct Link {
    bool connected = false;
    bool greeted = false;
    absl::Duration hello_due = -absl::InfiniteDuration();
  };
  bool Has(int32_t shard) const { return shard >= 0 && shard < shards(); }

  const absl::Duration hello_repeat_;
  std::vector<ShardAddress> table_;
  std::vector<Link> links_;
};

}  // namespace tenor::session

#endif  // TENOR_WORKER_SESSION_SHARD_LINKS_H_

#include "worker/session/shard_links.h"

namespace tenor::session {

bool ShardLinks::SetTable(const std::vector<ShardAddress>& table) {
  if (table.empty() || table == table_) return false;
  std::vector<Link> links(table.size());
  for (size_t k = 0; k < table.size() && k < table_.size(); ++k) {
    if (table[k] == table_[k]) links[k] = links_[k];
  }
  table_ = table;
  links_ = std::move(links);
  return true;
}

void ShardLinks::OnConnected(int32_t shard) {
  if (!Has(shard)) return;
  links_[shard] = Link{};
  links_[shard].connected = true;
}

void ShardLinks::OnLost(int32_t shard) {
  if (Has(shard)) links_[shard] = Link{};
}

void ShardLinks::OnHelloOk(int32_t shard) {
  if (Has(shard)) links_[shard].greeted = links_[shard].connected;
}

void ShardLinks::GreetAgain() {
  for (Link& link : links_) {
    link.greeted = false;
    link.hello_due = -absl::InfiniteDuration();
  }
}

bool ShardLinks::all_greeted() const {
  for (const Link& link : links_) {
    if (!link.greeted) return false;
  }
  return !links_.empty();
}

bool ShardLinks::HelloDue(absl::Duration now, int32_t shard) {
  Link& link = links_[shard];
  if (!link.connected || link.greeted || now < link.hello_due) return false;
  link.hello_due = now + hello_repeat_;
  return true;
}

}  // namespace tenor::session

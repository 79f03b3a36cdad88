#ifndef TENOR_SERVER_CORE_HANDSHAKE_H_
#define TENOR_SERVER_CORE_HANDSHAKE_H_

#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "server/core/coordinator_config.h"
#include "server/core/messages.h"

// Who may take part. Pure; a refusal is one sentence that names both values.

namespace tenor {

// [A-Za-z0-9._-]{1,128}.
bool IsMemberName(absl::string_view name);

// Weights of a member, 1..1024.
bool IsMemberWeight(int32_t weight);

// Why this worker may not join; none: it may.
std::optional<std::string> WhyRefuse(const CoordinatorConfig& config, const Join& join);

// Why this server may not take its index; none: it may.
std::optional<std::string> WhyRefuse(const CoordinatorConfig& config, const Status& status);

// How many of `chunks` chunks live on this shard of `shards`.
int64_t ChunksOf(int32_t shard, int32_t shards, ChunkNumber chunks);

}  // namespace tenor

#endif  // TENOR_SERVER_CORE_HANDSHAKE_H_

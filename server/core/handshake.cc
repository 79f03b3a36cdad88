#include "server/core/handshake.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "proto/spec.pb.h"
#include "server/core/coordinator_config.h"
#include "server/core/messages.h"

namespace tenor {

namespace {

constexpr size_t kMaxName = 128;
constexpr int32_t kMaxWeight = 1024;

std::string Hex(uint64_t value) { return absl::StrCat(absl::Hex(value, absl::kZeroPad16)); }

// What was sent may be anything: shown escaped and short.
std::string Quote(absl::string_view text) {
  return absl::StrCat("'", absl::CEscape(text.substr(0, kMaxName)), "'");
}

std::optional<std::string> WhyRefuseHashes(const std::string& who, const Hashes& wanted,
                                           const Hashes& held) {
  if (held.protocol != wanted.protocol) {
    return absl::StrCat(who, ": protocol ", held.protocol, " is not ", wanted.protocol,
                        "; run the same version of Tenor everywhere");
  }
  if (held.job != wanted.job) {
    return absl::StrCat(who, ": job hash ", Hex(held.job), " is not ", Hex(wanted.job),
                        "; it runs another JobSpec");
  }
  if (held.layout != wanted.layout) {
    return absl::StrCat(who, ": layout hash ", Hex(held.layout), " is not ", Hex(wanted.layout),
                        "; it builds the model differently");
  }
  return std::nullopt;
}

std::optional<std::string> WhyRefuseCompute(const CoordinatorConfig& config, const Join& join) {
  spec::Compute::Type wanted = config.job.compute();
  if (wanted == spec::Compute::UNSPECIFIED) wanted = spec::Compute::FP32;
  if (std::find(join.compute.begin(), join.compute.end(), wanted) != join.compute.end()) {
    return std::nullopt;
  }
  return absl::StrCat("worker ", join.name, ": the job computes in ",
                      spec::Compute::Type_Name(wanted), ", its processor ", Quote(join.processor),
                      " cannot");
}

}  // namespace

bool IsMemberName(absl::string_view name) {
  if (name.empty() || name.size() > kMaxName) return false;
  return std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return absl::ascii_isalnum(c) || c == '.' || c == '_' || c == '-';
  });
}

bool IsMemberWeight(int32_t weight) { return weight >= 1 && weight <= kMaxWeight; }

std::optional<std::string> WhyRefuse(const CoordinatorConfig& config, const Join& join) {
  if (!IsMemberName(join.name)) {
    return absl::StrCat("worker name ", Quote(join.name), " is not [A-Za-z0-9._-]{1,128}");
  }
  if (!IsMemberWeight(join.weight)) {
    return absl::StrCat("worker ", join.name, ": weight ", join.weight, " is not within 1..",
                        kMaxWeight);
  }
  if (join.process.value == 0) return absl::StrCat("worker ", join.name, ": process is 0");
  const std::string who = absl::StrCat("worker ", join.name);
  if (auto why = WhyRefuseHashes(who, config.hashes, join.hashes)) return why;
  if (join.hashes.data != config.hashes.data) {
    return absl::StrCat(who, ": data digest ", Quote(join.hashes.data), " is not '",
                        config.hashes.data, "'; point --data_dir at this job's data set");
  }
  return WhyRefuseCompute(config, join);
}

std::optional<std::string> WhyRefuse(const CoordinatorConfig& config, const Status& status) {
  const std::string who = absl::StrCat("server ", status.shard);
  if (status.shards != config.shards) {
    return absl::StrCat(who, ": it was told of ", status.shards, " servers, this run has ",
                        config.shards, "; give --servers alike to all");
  }
  if (status.shard < 0 || status.shard >= config.shards) {
    return absl::StrCat(who, ": index ", status.shard, " is not within 0..", config.shards - 1);
  }
  if (status.process.value == 0) return absl::StrCat(who, ": process is 0");
  if (auto why = WhyRefuseHashes(who, config.hashes, status.hashes)) return why;
  if (!config.run_nonce.empty() && status.run_nonce != config.run_nonce) {
    return absl::StrCat(who, ": its run folder holds nonce ", Quote(status.run_nonce), ", not '",
                        config.run_nonce, "'; all servers need the same --run_dir");
  }
  const size_t own = ChunksOf(status.shard, config.shards, config.chunks);
  if (status.ready && status.square_sums.size() != own) {
    return absl::StrCat(who, ": it reports sums of ", status.square_sums.size(),
                        " chunks, this index has ", own);
  }
  return std::nullopt;
}

int64_t ChunksOf(int32_t shard, int32_t shards, ChunkNumber chunks) {
  return chunks <= shard ? 0 : (chunks - shard - 1) / shards + 1;
}

}  // namespace tenor

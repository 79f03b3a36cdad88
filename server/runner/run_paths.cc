#include "server/runner/run_paths.h"

#include <cstdint>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_format.h"
#include "base/path.h"

namespace tenor {
namespace {

// Takes "PREFIX" and the digits behind it from the front of `text`.
std::optional<int64_t> TakeNumber(absl::string_view prefix, absl::string_view* text) {
  if (text->substr(0, prefix.size()) != prefix) return std::nullopt;
  text->remove_prefix(prefix.size());
  size_t digits = 0;
  while (digits < text->size() && absl::ascii_isdigit((*text)[digits])) ++digits;
  int64_t value = 0;
  if (!absl::SimpleAtoi(text->substr(0, digits), &value)) return std::nullopt;
  text->remove_prefix(digits);
  return value;
}

}  // namespace

std::string LineageFolder(absl::string_view run_folder) { return JoinPath(run_folder, "lineage"); }

std::string CheckpointsFolder(absl::string_view run_folder) { return JoinPath(run_folder, "ckpt"); }

std::string CheckpointDirectoryName(const CheckpointName& name) {
  return absl::StrFormat("v%09d-g%04d-r%09d", name.version, name.lineage, name.round);
}

std::optional<CheckpointName> ParseCheckpointDirectoryName(absl::string_view name) {
  absl::string_view rest = name;
  const std::optional<int64_t> version = TakeNumber("v", &rest);
  const std::optional<int64_t> lineage = TakeNumber("-g", &rest);
  const std::optional<int64_t> round = TakeNumber("-r", &rest);
  if (!version || !lineage || !round || !rest.empty()) return std::nullopt;
  const CheckpointName parsed{*lineage, *round, *version};
  // Only one spelling names a checkpoint.
  if (CheckpointDirectoryName(parsed) != name) return std::nullopt;
  return parsed;
}

std::string CheckpointFolder(absl::string_view run_folder, const CheckpointName& name) {
  return JoinPath(CheckpointsFolder(run_folder), CheckpointDirectoryName(name));
}

std::string ShardFileName(int shard, int shards) {
  return absl::StrFormat("shard-%05d-of-%05d.safetensors", shard, shards);
}

}  // namespace tenor

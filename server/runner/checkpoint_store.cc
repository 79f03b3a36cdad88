#include "server/runner/checkpoint_store.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <tuple>

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "base/crc32c.h"
#include "base/file_operations.h"
#include "base/path.h"
#include "base/status.h"
#include "proto/parse.h"
#include "proto/validate.h"
#include "server/core/prune.h"
#include "server/runner/run_paths.h"

namespace tenor {
namespace {

constexpr absl::string_view kDamagedSuffix = ".damaged";
constexpr size_t kReadBytes = size_t{1} << 20;

CheckpointName NameOf(const spec::CheckpointId& id) {
  return {id.lineage(), id.round(), id.version()};
}

bool IsOlder(const CheckpointName& a, const CheckpointName& b) {
  return std::tie(a.lineage, a.round) < std::tie(b.lineage, b.round);
}

}  // namespace

CheckpointStore::CheckpointStore(FileSystem& files, absl::string_view run_folder)
    : files_(files), run_folder_(run_folder) {}

absl::StatusOr<std::vector<CheckpointOnDisk>> CheckpointStore::List() const {
  const std::string folder = CheckpointsFolder(run_folder_);
  TENOR_ASSIGN_OR_RETURN(const std::vector<std::string> names, files_.List(folder));
  std::vector<CheckpointOnDisk> found;
  for (const std::string& entry : names) {
    absl::string_view name = entry;
    const bool damaged = absl::ConsumeSuffix(&name, kDamagedSuffix);
    const std::optional<CheckpointName> parsed = ParseCheckpointDirectoryName(name);
    if (!parsed) continue;
    if (!damaged) {
      const std::string manifest = JoinPath(JoinPath(folder, entry), kManifestFile);
      TENOR_ASSIGN_OR_RETURN(const bool complete, files_.Exists(manifest));
      if (!complete) continue;
    }
    found.push_back({*parsed, damaged});
  }
  return found;
}

absl::StatusOr<spec::Manifest> CheckpointStore::ReadManifest(const CheckpointName& name) const {
  const std::string path = JoinPath(CheckpointFolder(run_folder_, name), kManifestFile);
  TENOR_ASSIGN_OR_RETURN(const std::string text, files_.ReadFile(path));
  const absl::StatusOr<spec::Manifest> manifest = ParseManifest(text, path);
  if (!manifest.ok()) return absl::DataLossError(manifest.status().message());
  if (NameOf(manifest->id()) != name) {
    return absl::DataLossError(absl::StrCat(path, " is the manifest of ",
                                            CheckpointDirectoryName(NameOf(manifest->id()))));
  }
  return manifest;
}

absl::Status CheckpointStore::WriteManifest(const CheckpointName& name,
                                            const spec::Manifest& manifest) const {
  const std::string folder = CheckpointFolder(run_folder_, name);
  TENOR_RETURN_IF_ERROR(ReplaceFile(files_, JoinPath(folder, kManifestFile), PrintText(manifest)));
  return files_.SyncDirectory(CheckpointsFolder(run_folder_));
}

absl::Status CheckpointStore::RenameDamaged(const CheckpointName& name) const {
  const std::string from = CheckpointFolder(run_folder_, name);
  const std::string to = absl::StrCat(from, kDamagedSuffix);
  const absl::Status renamed = files_.Rename(from, to);
  if (absl::IsNotFound(renamed)) {
    TENOR_ASSIGN_OR_RETURN(const bool done, files_.Exists(to));
    if (!done) return renamed;
  } else if (!renamed.ok()) {
    return renamed;
  }
  return files_.SyncDirectory(CheckpointsFolder(run_folder_));
}

absl::Status CheckpointStore::Prune(const tenor::Prune& prune) const {
  TENOR_ASSIGN_OR_RETURN(const std::vector<CheckpointOnDisk> listed, List());
  std::vector<CheckpointName> complete;
  for (const CheckpointOnDisk& one : listed) {
    if (!one.damaged) complete.push_back(one.name);
  }
  for (const CheckpointName& name : CheckpointsToDelete(complete, prune)) {
    TENOR_RETURN_IF_ERROR(Delete(name));
  }
  return DeleteUnfinished(prune.newest);
}

absl::Status CheckpointStore::Delete(const CheckpointName& name) const {
  const std::string folder = CheckpointFolder(run_folder_, name);
  TENOR_RETURN_IF_ERROR(files_.Remove(JoinPath(folder, kManifestFile)));
  TENOR_RETURN_IF_ERROR(files_.SyncDirectory(folder));
  return RemoveTree(files_, folder);
}

absl::Status CheckpointStore::DeleteUnfinished(const CheckpointName& newest) const {
  const std::string folder = CheckpointsFolder(run_folder_);
  TENOR_ASSIGN_OR_RETURN(const std::vector<std::string> names, files_.List(folder));
  for (const std::string& entry : names) {
    const std::optional<CheckpointName> name = ParseCheckpointDirectoryName(entry);
    if (!name || !IsOlder(*name, newest)) continue;
    const std::string path = JoinPath(folder, entry);
    TENOR_ASSIGN_OR_RETURN(const bool complete, files_.Exists(JoinPath(path, kManifestFile)));
    if (!complete) TENOR_RETURN_IF_ERROR(RemoveTree(files_, path));
  }
  return absl::OkStatus();
}

absl::Status CheckpointStore::Verify(const CheckpointName& name) const {
  TENOR_ASSIGN_OR_RETURN(const spec::Manifest manifest, ReadManifest(name));
  const std::string folder = CheckpointFolder(run_folder_, name);
  for (const spec::CheckpointFile& file : manifest.files()) {
    TENOR_RETURN_IF_ERROR(VerifyFile(files_, JoinPath(folder, file.name()), file));
  }
  return absl::OkStatus();
}

absl::Status VerifyFile(FileSystem& files, absl::string_view path,
                        const spec::CheckpointFile& file) {
  absl::StatusOr<std::unique_ptr<RandomAccessFile>> opened = files.Open(path);
  if (absl::IsNotFound(opened.status())) return absl::DataLossError(opened.status().message());
  TENOR_RETURN_IF_ERROR(opened.status());
  const uint64_t size = (*opened)->Size();
  if (size != static_cast<uint64_t>(file.bytes())) {
    return absl::DataLossError(absl::StrCat(path, " has ", size, " bytes, its manifest says ",
                                            file.bytes(), ": it is damaged"));
  }
  uint32_t crc = 0;
  std::vector<std::byte> buffer(std::min<uint64_t>(kReadBytes, size));
  for (uint64_t at = 0; at < size; at += buffer.size()) {
    const std::span<std::byte> part =
        std::span(buffer).first(std::min<uint64_t>(buffer.size(), size - at));
    TENOR_RETURN_IF_ERROR((*opened)->Read(at, part));
    crc = ExtendCrc32c(crc, part);
  }
  if (crc == file.crc32c()) return absl::OkStatus();
  return absl::DataLossError(absl::StrCat(
      path, " has the crc32c ", absl::Hex(crc, absl::kZeroPad8), ", its manifest says ",
      absl::Hex(file.crc32c(), absl::kZeroPad8), ": it is damaged"));
}

}  // namespace tenor

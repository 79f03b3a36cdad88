#include "base/memory_file_system.h"

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "base/errno_status.h"
#include "base/mutex.h"
#include "base/status.h"

namespace tenor {

// A file or a directory. What `durable*` holds is what a loss of power leaves.
struct MemoryFileSystem::Node {
  using Entries = std::map<std::string, std::shared_ptr<Node>, std::less<>>;

  const bool is_directory;

  std::string data;
  std::string durable_data;
  // Whether durable_data is no prefix of data.
  bool truncated_since_sync = false;

  Entries entries;
  Entries durable_entries;
};

struct MemoryFileSystem::Disk {
  explicit Disk(uint64_t capacity)
      : capacity(capacity), root(std::make_shared<Node>(Node{.is_directory = true})) {}

  uint64_t UsedBytes() const TENOR_REQUIRES(mu);

  // Fails with the errno text: NotFound, FailedPrecondition (a file on the way), InvalidArgument.
  absl::StatusOr<std::shared_ptr<Node>> Find(absl::string_view action, absl::string_view path) const
      TENOR_REQUIRES(mu);
  absl::StatusOr<std::shared_ptr<Node>> FindDirectory(absl::string_view action,
                                                      absl::string_view path) const
      TENOR_REQUIRES(mu);
  absl::StatusOr<Place> FindPlace(absl::string_view action, absl::string_view path) const
      TENOR_REQUIRES(mu);

  const uint64_t capacity;
  mutable Mutex mu;
  // mu guards every node.
  const std::shared_ptr<Node> root;
  // Counts losses of power; a file that was opened before the last one is dead.
  uint64_t generation TENOR_GUARDED_BY(mu) = 0;
};

// A name in an existing directory, and what it names now: null for nothing.
struct MemoryFileSystem::Place {
  std::shared_ptr<Node> directory;
  std::string name;
  std::shared_ptr<Node> node;
};

namespace {

absl::Status MachineWentDown(absl::string_view action, absl::string_view path) {
  return absl::UnavailableError(
      absl::StrCat(action, " ", path, ": the machine went down after it was opened"));
}

absl::StatusOr<std::vector<std::string>> Parts(absl::string_view action, absl::string_view path) {
  std::vector<std::string> parts;
  if (path.empty()) return ErrnoStatus(ENOENT, action, "\"\"");
  for (const absl::string_view part : absl::StrSplit(path, '/')) {
    if (part == ".." || part.find('\0') != absl::string_view::npos) {
      return ErrnoStatus(EINVAL, action, path);
    }
    if (!part.empty() && part != ".") parts.emplace_back(part);
  }
  return parts;
}

}  // namespace

absl::StatusOr<std::shared_ptr<MemoryFileSystem::Node>> MemoryFileSystem::Disk::Find(
    absl::string_view action, absl::string_view path) const {
  TENOR_ASSIGN_OR_RETURN(const std::vector<std::string> parts, Parts(action, path));
  std::shared_ptr<Node> node = root;
  for (const std::string& part : parts) {
    if (!node->is_directory) return ErrnoStatus(ENOTDIR, action, path);
    const auto found = node->entries.find(part);
    if (found == node->entries.end()) return ErrnoStatus(ENOENT, action, path);
    node = found->second;
  }
  return node;
}

absl::StatusOr<std::shared_ptr<MemoryFileSystem::Node>> MemoryFileSystem::Disk::FindDirectory(
    absl::string_view action, absl::string_view path) const {
  TENOR_ASSIGN_OR_RETURN(std::shared_ptr<Node> node, Find(action, path));
  if (!node->is_directory) return ErrnoStatus(ENOTDIR, action, path);
  return node;
}

absl::StatusOr<MemoryFileSystem::Place> MemoryFileSystem::Disk::FindPlace(
    absl::string_view action, absl::string_view path) const {
  TENOR_ASSIGN_OR_RETURN(const std::vector<std::string> parts, Parts(action, path));
  // The root has no name in any directory.
  if (parts.empty()) return ErrnoStatus(EBUSY, action, path);
  std::shared_ptr<Node> directory = root;
  for (size_t i = 0; i + 1 < parts.size(); ++i) {
    const auto found = directory->entries.find(parts[i]);
    if (found == directory->entries.end()) return ErrnoStatus(ENOENT, action, path);
    directory = found->second;
    if (!directory->is_directory) return ErrnoStatus(ENOTDIR, action, path);
  }
  const auto found = directory->entries.find(parts.back());
  std::shared_ptr<Node> node = found == directory->entries.end() ? nullptr : found->second;
  return Place{std::move(directory), parts.back(), std::move(node)};
}

uint64_t MemoryFileSystem::Disk::UsedBytes() const {
  uint64_t used = 0;
  std::vector<const Node*> open = {root.get()};
  while (!open.empty()) {
    const Node* node = open.back();
    open.pop_back();
    used += node->data.size();
    for (const auto& [name, child] : node->entries) open.push_back(child.get());
  }
  return used;
}

class MemoryFileSystem::Writer : public WritableFile {
 public:
  Writer(absl::string_view path, std::shared_ptr<Disk> disk, std::shared_ptr<Node> node,
         uint64_t generation)
      : path_(path), disk_(std::move(disk)), node_(std::move(node)), generation_(generation) {}

  using WritableFile::Append;

  absl::Status Append(std::span<const std::byte> data) override {
    MutexLock lock(disk_->mu);
    TENOR_RETURN_IF_ERROR(CheckUsable("write"));
    if (disk_->capacity != kUnlimited && data.size() > disk_->capacity - disk_->UsedBytes()) {
      return ErrnoStatus(ENOSPC, "write", path_);
    }
    node_->data.append(reinterpret_cast<const char*>(data.data()), data.size());
    return absl::OkStatus();
  }

  absl::Status Sync() override {
    MutexLock lock(disk_->mu);
    TENOR_RETURN_IF_ERROR(CheckUsable("sync"));
    if (node_->truncated_since_sync) node_->durable_data.clear();
    node_->truncated_since_sync = false;
    node_->durable_data.append(node_->data, node_->durable_data.size());
    return absl::OkStatus();
  }

  absl::Status Close() override {
    MutexLock lock(disk_->mu);
    TENOR_RETURN_IF_ERROR(CheckUsable("close"));
    closed_ = true;
    return absl::OkStatus();
  }

 private:
  absl::Status CheckUsable(absl::string_view action) const TENOR_REQUIRES(disk_->mu) {
    if (closed_) {
      return absl::FailedPreconditionError(absl::StrCat(action, " ", path_, ": it is closed"));
    }
    if (generation_ != disk_->generation) return MachineWentDown(action, path_);
    return absl::OkStatus();
  }

  const std::string path_;
  const std::shared_ptr<Disk> disk_;
  const std::shared_ptr<Node> node_;
  const uint64_t generation_;
  bool closed_ = false;
};

class MemoryFileSystem::Reader : public RandomAccessFile {
 public:
  Reader(absl::string_view path, std::shared_ptr<Disk> disk, std::shared_ptr<Node> node,
         uint64_t size, uint64_t generation)
      : path_(path),
        disk_(std::move(disk)),
        node_(std::move(node)),
        size_(size),
        generation_(generation) {}

  absl::Status Read(uint64_t offset, std::span<std::byte> out) const override {
    MutexLock lock(disk_->mu);
    if (generation_ != disk_->generation) return MachineWentDown("read", path_);
    if (out.empty()) return absl::OkStatus();
    const uint64_t size = node_->data.size();
    if (offset > size || out.size() > size - offset) {
      return absl::OutOfRangeError(absl::StrCat("read ", path_, ": it ends at byte ", size, ", ",
                                                out.size(), " were expected from byte ", offset));
    }
    std::memcpy(out.data(), node_->data.data() + offset, out.size());
    return absl::OkStatus();
  }

  uint64_t Size() const override { return size_; }

 private:
  const std::string path_;
  const std::shared_ptr<Disk> disk_;
  const std::shared_ptr<Node> node_;
  const uint64_t size_;
  const uint64_t generation_;
};

MemoryFileSystem::MemoryFileSystem(uint64_t capacity) : disk_(std::make_shared<Disk>(capacity)) {}

MemoryFileSystem::~MemoryFileSystem() = default;

void MemoryFileSystem::DropUnsynced() {
  MutexLock lock(disk_->mu);
  ++disk_->generation;
  std::set<Node*> seen;
  std::vector<Node*> open = {disk_->root.get()};
  while (!open.empty()) {
    Node* const node = open.back();
    open.pop_back();
    // A rename that is durable on one side only leaves two names.
    if (!seen.insert(node).second) continue;
    node->data = node->durable_data;
    node->truncated_since_sync = false;
    node->entries = node->durable_entries;
    for (const auto& [name, child] : node->entries) open.push_back(child.get());
  }
}

absl::StatusOr<std::unique_ptr<WritableFile>> MemoryFileSystem::OpenWritable(
    absl::string_view path, OnExisting on_existing) {
  MutexLock lock(disk_->mu);
  TENOR_ASSIGN_OR_RETURN(Place place, disk_->FindPlace("create", path));
  if (place.node == nullptr) {
    place.node = std::make_shared<Node>(Node{.is_directory = false});
    place.directory->entries[place.name] = place.node;
  } else if (on_existing == OnExisting::kRefuse) {
    return ErrnoStatus(EEXIST, "create", path);
  } else if (place.node->is_directory) {
    return ErrnoStatus(EISDIR, "create", path);
  } else if (on_existing == OnExisting::kTruncate) {
    place.node->data.clear();
    place.node->truncated_since_sync = true;
  }
  return std::make_unique<Writer>(path, disk_, place.node, disk_->generation);
}

absl::StatusOr<std::unique_ptr<WritableFile>> MemoryFileSystem::Create(absl::string_view path) {
  return OpenWritable(path, OnExisting::kTruncate);
}

absl::StatusOr<std::unique_ptr<WritableFile>> MemoryFileSystem::CreateExclusive(
    absl::string_view path) {
  return OpenWritable(path, OnExisting::kRefuse);
}

absl::StatusOr<std::unique_ptr<WritableFile>> MemoryFileSystem::OpenForAppend(
    absl::string_view path) {
  return OpenWritable(path, OnExisting::kAppend);
}

absl::StatusOr<std::unique_ptr<RandomAccessFile>> MemoryFileSystem::Open(absl::string_view path) {
  MutexLock lock(disk_->mu);
  TENOR_ASSIGN_OR_RETURN(std::shared_ptr<Node> node, disk_->Find("open", path));
  if (node->is_directory) {
    return absl::FailedPreconditionError(absl::StrCat("open ", path, ": it is not a file"));
  }
  const uint64_t size = node->data.size();
  return std::make_unique<Reader>(path, disk_, std::move(node), size, disk_->generation);
}

absl::Status MemoryFileSystem::Rename(absl::string_view from, absl::string_view to) {
  const std::string both = absl::StrCat(from, " to ", to);
  MutexLock lock(disk_->mu);
  TENOR_ASSIGN_OR_RETURN(const Place source, disk_->FindPlace("rename", from));
  if (source.node == nullptr) return ErrnoStatus(ENOENT, "rename", both);
  TENOR_ASSIGN_OR_RETURN(const Place target, disk_->FindPlace("rename", to));
  if (target.node == source.node) return absl::OkStatus();
  if (absl::StartsWith(absl::StrCat(to, "/"), absl::StrCat(from, "/"))) {
    return ErrnoStatus(EINVAL, "rename", both);
  }
  if (target.node != nullptr) {
    if (target.node->is_directory && !source.node->is_directory) {
      return ErrnoStatus(EISDIR, "rename", both);
    }
    if (!target.node->is_directory && source.node->is_directory) {
      return ErrnoStatus(ENOTDIR, "rename", both);
    }
    if (!target.node->entries.empty()) return ErrnoStatus(ENOTEMPTY, "rename", both);
  }
  source.directory->entries.erase(source.name);
  target.directory->entries[target.name] = source.node;
  return absl::OkStatus();
}

absl::Status MemoryFileSystem::Remove(absl::string_view path) {
  MutexLock lock(disk_->mu);
  TENOR_ASSIGN_OR_RETURN(const Place place, disk_->FindPlace("remove", path));
  if (place.node == nullptr) return ErrnoStatus(ENOENT, "remove", path);
  if (!place.node->entries.empty()) return ErrnoStatus(ENOTEMPTY, "remove", path);
  place.directory->entries.erase(place.name);
  return absl::OkStatus();
}

absl::StatusOr<std::vector<std::string>> MemoryFileSystem::List(absl::string_view path) {
  MutexLock lock(disk_->mu);
  TENOR_ASSIGN_OR_RETURN(const std::shared_ptr<Node> node, disk_->FindDirectory("list", path));
  std::vector<std::string> names;
  for (const auto& [name, child] : node->entries) names.push_back(name);
  return names;
}

absl::Status MemoryFileSystem::CreateDirectory(absl::string_view path) {
  MutexLock lock(disk_->mu);
  TENOR_ASSIGN_OR_RETURN(const Place place, disk_->FindPlace("create directory", path));
  if (place.node != nullptr) return ErrnoStatus(EEXIST, "create directory", path);
  place.directory->entries[place.name] = std::make_shared<Node>(Node{.is_directory = true});
  return absl::OkStatus();
}

absl::Status MemoryFileSystem::SyncDirectory(absl::string_view path) {
  MutexLock lock(disk_->mu);
  TENOR_ASSIGN_OR_RETURN(const std::shared_ptr<Node> node, disk_->FindDirectory("sync", path));
  node->durable_entries = node->entries;
  return absl::OkStatus();
}

absl::StatusOr<bool> MemoryFileSystem::Exists(absl::string_view path) {
  MutexLock lock(disk_->mu);
  const absl::StatusOr<std::shared_ptr<Node>> node = disk_->Find("look up", path);
  if (node.ok()) return true;
  if (absl::IsNotFound(node.status())) return false;
  return node.status();
}

absl::StatusOr<bool> MemoryFileSystem::IsDirectory(absl::string_view path) {
  MutexLock lock(disk_->mu);
  TENOR_ASSIGN_OR_RETURN(const std::shared_ptr<Node> node, disk_->Find("look up", path));
  return node->is_directory;
}

absl::StatusOr<uint64_t> MemoryFileSystem::FileSize(absl::string_view path) {
  MutexLock lock(disk_->mu);
  TENOR_ASSIGN_OR_RETURN(const std::shared_ptr<Node> node, disk_->Find("size of", path));
  if (node->is_directory) {
    return absl::FailedPreconditionError(absl::StrCat("size of ", path, ": it is not a file"));
  }
  return node->data.size();
}

absl::StatusOr<uint64_t> MemoryFileSystem::AvailableBytes(absl::string_view path) {
  MutexLock lock(disk_->mu);
  TENOR_RETURN_IF_ERROR(disk_->Find("free space of", path).status());
  return disk_->capacity == kUnlimited ? kUnlimited : disk_->capacity - disk_->UsedBytes();
}

}  // namespace tenor

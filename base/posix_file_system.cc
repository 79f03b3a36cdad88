#include "base/posix_file_system.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/errno_status.h"
#include "base/file_descriptor.h"
#include "base/status.h"

namespace tenor {
namespace {

constexpr mode_t kFileMode = 0640;
constexpr mode_t kDirectoryMode = 0750;

// A path with a NUL inside would name another file than it says.
absl::StatusOr<std::string> CheckedPath(absl::string_view action, absl::string_view path) {
  if (path.find('\0') != absl::string_view::npos) {
    return absl::InvalidArgumentError(absl::StrCat(action, ": the path has a NUL byte in it"));
  }
  return std::string(path);
}

absl::StatusOr<FileDescriptor> OpenDescriptor(absl::string_view action, absl::string_view path,
                                              int flags) {
  TENOR_ASSIGN_OR_RETURN(const std::string name, CheckedPath(action, path));
  int fd;
  do {
    fd = open(name.c_str(), flags | O_CLOEXEC, kFileMode);
  } while (fd < 0 && errno == EINTR);
  if (fd < 0) return ErrnoStatus(errno, action, path);
  return FileDescriptor(fd);
}

absl::StatusOr<struct stat> StatOf(absl::string_view action, absl::string_view path) {
  TENOR_ASSIGN_OR_RETURN(const std::string name, CheckedPath(action, path));
  struct stat info;
  if (stat(name.c_str(), &info) != 0) return ErrnoStatus(errno, action, path);
  return info;
}

absl::Status SyncDescriptor(const FileDescriptor& descriptor, absl::string_view path) {
  if (fsync(descriptor.get()) != 0) return ErrnoStatus(errno, "sync", path);
  return absl::OkStatus();
}

class PosixWritableFile : public WritableFile {
 public:
  PosixWritableFile(absl::string_view path, FileDescriptor descriptor)
      : path_(path), descriptor_(std::move(descriptor)) {}

  using WritableFile::Append;

  absl::Status Append(std::span<const std::byte> data) override {
    TENOR_RETURN_IF_ERROR(CheckOpen("write"));
    while (!data.empty()) {
      const ssize_t written = write(descriptor_.get(), data.data(), data.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return ErrnoStatus(errno, "write", path_);
      data = data.subspan(static_cast<size_t>(written));
    }
    return absl::OkStatus();
  }

  absl::Status Sync() override {
    TENOR_RETURN_IF_ERROR(CheckOpen("sync"));
    return SyncDescriptor(descriptor_, path_);
  }

  absl::Status Close() override {
    TENOR_RETURN_IF_ERROR(CheckOpen("close"));
    return Annotate(descriptor_.Close(), path_);
  }

 private:
  absl::Status CheckOpen(absl::string_view action) const {
    if (descriptor_.valid()) return absl::OkStatus();
    return absl::FailedPreconditionError(absl::StrCat(action, " ", path_, ": it is closed"));
  }

  const std::string path_;
  FileDescriptor descriptor_;
};

class PosixRandomAccessFile : public RandomAccessFile {
 public:
  PosixRandomAccessFile(absl::string_view path, FileDescriptor descriptor, uint64_t size)
      : path_(path), descriptor_(std::move(descriptor)), size_(size) {}

  absl::Status Read(uint64_t offset, std::span<std::byte> out) const override {
    uint64_t position = offset;
    while (!out.empty()) {
      const ssize_t got =
          pread(descriptor_.get(), out.data(), out.size(), static_cast<off_t>(position));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return ErrnoStatus(errno, "read", path_);
      if (got == 0) {
        return absl::OutOfRangeError(absl::StrCat("read ", path_, ": it ends at byte ", position,
                                                  ", ", out.size(), " more were expected"));
      }
      out = out.subspan(static_cast<size_t>(got));
      position += static_cast<uint64_t>(got);
    }
    return absl::OkStatus();
  }

  uint64_t Size() const override { return size_; }

 private:
  const std::string path_;
  const FileDescriptor descriptor_;
  const uint64_t size_;
};

absl::StatusOr<std::unique_ptr<WritableFile>> OpenWritable(absl::string_view action,
                                                           absl::string_view path, int flags) {
  TENOR_ASSIGN_OR_RETURN(FileDescriptor descriptor, OpenDescriptor(action, path, O_WRONLY | flags));
  return std::make_unique<PosixWritableFile>(path, std::move(descriptor));
}

struct CloseDirectory {
  void operator()(DIR* directory) const { closedir(directory); }
};

}  // namespace

absl::StatusOr<std::unique_ptr<WritableFile>> PosixFileSystem::Create(absl::string_view path) {
  return OpenWritable("create", path, O_CREAT | O_TRUNC);
}

absl::StatusOr<std::unique_ptr<WritableFile>> PosixFileSystem::CreateExclusive(
    absl::string_view path) {
  return OpenWritable("create", path, O_CREAT | O_EXCL);
}

absl::StatusOr<std::unique_ptr<WritableFile>> PosixFileSystem::OpenForAppend(
    absl::string_view path) {
  return OpenWritable("open", path, O_CREAT | O_APPEND);
}

absl::StatusOr<std::unique_ptr<RandomAccessFile>> PosixFileSystem::Open(absl::string_view path) {
  // O_NONBLOCK: a named pipe must not hold up the caller; it changes nothing for a file.
  TENOR_ASSIGN_OR_RETURN(FileDescriptor descriptor,
                         OpenDescriptor("open", path, O_RDONLY | O_NONBLOCK));
  struct stat info;
  if (fstat(descriptor.get(), &info) != 0) return ErrnoStatus(errno, "open", path);
  if (!S_ISREG(info.st_mode)) {
    return absl::FailedPreconditionError(absl::StrCat("open ", path, ": it is not a file"));
  }
  return std::make_unique<PosixRandomAccessFile>(path, std::move(descriptor),
                                                 static_cast<uint64_t>(info.st_size));
}

absl::Status PosixFileSystem::Rename(absl::string_view from, absl::string_view to) {
  TENOR_ASSIGN_OR_RETURN(const std::string source, CheckedPath("rename", from));
  TENOR_ASSIGN_OR_RETURN(const std::string target, CheckedPath("rename", to));
  if (rename(source.c_str(), target.c_str()) != 0) {
    return ErrnoStatus(errno, "rename", absl::StrCat(from, " to ", to));
  }
  return absl::OkStatus();
}

absl::Status PosixFileSystem::Remove(absl::string_view path) {
  TENOR_ASSIGN_OR_RETURN(const std::string name, CheckedPath("remove", path));
  if (remove(name.c_str()) != 0) return ErrnoStatus(errno, "remove", path);
  return absl::OkStatus();
}

absl::StatusOr<std::vector<std::string>> PosixFileSystem::List(absl::string_view path) {
  TENOR_ASSIGN_OR_RETURN(const std::string name, CheckedPath("list", path));
  const std::unique_ptr<DIR, CloseDirectory> directory(opendir(name.c_str()));
  if (directory == nullptr) return ErrnoStatus(errno, "list", path);
  std::vector<std::string> names;
  errno = 0;
  while (const dirent* entry = readdir(directory.get())) {
    const absl::string_view found = entry->d_name;
    if (found != "." && found != "..") names.emplace_back(found);
    errno = 0;
  }
  if (errno != 0) return ErrnoStatus(errno, "list", path);
  std::sort(names.begin(), names.end());
  return names;
}

absl::Status PosixFileSystem::CreateDirectory(absl::string_view path) {
  TENOR_ASSIGN_OR_RETURN(const std::string name, CheckedPath("create directory", path));
  if (mkdir(name.c_str(), kDirectoryMode) != 0) return ErrnoStatus(errno, "create directory", path);
  return absl::OkStatus();
}

absl::Status PosixFileSystem::SyncDirectory(absl::string_view path) {
  TENOR_ASSIGN_OR_RETURN(const FileDescriptor descriptor,
                         OpenDescriptor("sync", path, O_RDONLY | O_DIRECTORY));
  return SyncDescriptor(descriptor, path);
}

absl::StatusOr<bool> PosixFileSystem::Exists(absl::string_view path) {
  const absl::StatusOr<struct stat> info = StatOf("look up", path);
  if (info.ok()) return true;
  if (absl::IsNotFound(info.status())) return false;
  return info.status();
}

absl::StatusOr<bool> PosixFileSystem::IsDirectory(absl::string_view path) {
  TENOR_ASSIGN_OR_RETURN(const struct stat info, StatOf("look up", path));
  return S_ISDIR(info.st_mode);
}

absl::StatusOr<uint64_t> PosixFileSystem::FileSize(absl::string_view path) {
  TENOR_ASSIGN_OR_RETURN(const struct stat info, StatOf("size of", path));
  if (!S_ISREG(info.st_mode)) {
    return absl::FailedPreconditionError(absl::StrCat("size of ", path, ": it is not a file"));
  }
  return static_cast<uint64_t>(info.st_size);
}

absl::StatusOr<uint64_t> PosixFileSystem::AvailableBytes(absl::string_view path) {
  TENOR_ASSIGN_OR_RETURN(const std::string name, CheckedPath("free space of", path));
  struct statvfs info;
  if (statvfs(name.c_str(), &info) != 0) return ErrnoStatus(errno, "free space of", path);
  return static_cast<uint64_t>(info.f_bavail) * info.f_frsize;
}

}  // namespace tenor

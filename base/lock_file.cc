#include "base/lock_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/errno_status.h"
#include "base/file_descriptor.h"
#include "base/status.h"

namespace tenor {
namespace {

// What the holder wrote, in one printable line; it may be about to write it.
std::string OwnerOf(const FileDescriptor& file) {
  char text[200];
  const ssize_t got = pread(file.get(), text, sizeof(text), 0);
  std::string owner(text, static_cast<size_t>(std::max<ssize_t>(got, 0)));
  for (char& c : owner) {
    if (!absl::ascii_isprint(static_cast<unsigned char>(c))) c = ' ';
  }
  absl::StripAsciiWhitespace(&owner);
  return owner.empty() ? "another process" : owner;
}

absl::Status WriteOwner(const FileDescriptor& file, absl::string_view path,
                        absl::string_view owner) {
  const std::string line = absl::StrCat(owner, "\n");
  if (ftruncate(file.get(), 0) != 0 || pwrite(file.get(), line.data(), line.size(), 0) < 0) {
    return ErrnoStatus(errno, "write", path);
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::unique_ptr<LockFile>> LockFile::Acquire(absl::string_view path,
                                                            absl::string_view owner) {
  FileDescriptor file(open(std::string(path).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0640));
  if (!file.valid()) return ErrnoStatus(errno, "lock", path);
  if (flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) return ErrnoStatus(errno, "lock", path);
    return absl::AlreadyExistsError(absl::StrCat("lock ", path, ": held by ", OwnerOf(file),
                                                 "; stop it or use another folder"));
  }
  TENOR_RETURN_IF_ERROR(WriteOwner(file, path, owner));
  return std::unique_ptr<LockFile>(new LockFile(std::move(file)));
}

}  // namespace tenor

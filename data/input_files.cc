#include "data/input_files.h"

#include <algorithm>
#include <memory>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/path.h"
#include "base/status.h"

namespace tenor {
namespace {

constexpr int kMaxDepth = 64;
constexpr uint64_t kHeadBytes = 8192;

absl::StatusOr<bool> LooksLikeText(FileSystem& files, absl::string_view path) {
  TENOR_ASSIGN_OR_RETURN(const std::unique_ptr<RandomAccessFile> file, files.Open(path));
  std::string head(std::min(kHeadBytes, file->Size()), '\0');
  TENOR_RETURN_IF_ERROR(file->Read(0, std::as_writable_bytes(std::span(head.data(), head.size()))));
  return head.find('\0') == std::string::npos;
}

class Lister {
 public:
  Lister(FileSystem& files, absl::string_view except) : files_(files), except_(except) {}

  absl::Status AddPath(const std::string& path) {
    TENOR_ASSIGN_OR_RETURN(const bool is_directory, files_.IsDirectory(path));
    return is_directory ? AddFolder(path, 0) : AddFile(path);
  }

  InputFiles Take() && { return std::move(found_); }

 private:
  absl::Status AddFile(const std::string& path) {
    TENOR_ASSIGN_OR_RETURN(const uint64_t bytes, files_.FileSize(path));
    found_.files.push_back({path, bytes});
    found_.bytes += bytes;
    return absl::OkStatus();
  }

  absl::Status AddFolder(const std::string& path, int depth) {
    if (path == except_) return absl::OkStatus();
    if (depth > kMaxDepth) {
      return absl::InvalidArgumentError(
          absl::StrCat(path, ": folders are nested deeper than 64; does a link lead back?"));
    }
    TENOR_ASSIGN_OR_RETURN(const std::vector<std::string> names, files_.List(path));
    for (const std::string& name : names) {
      if (absl::StartsWith(name, ".")) continue;
      TENOR_RETURN_IF_ERROR(AddFound(JoinPath(path, name), depth));
    }
    return absl::OkStatus();
  }

  absl::Status AddFound(const std::string& path, int depth) {
    TENOR_ASSIGN_OR_RETURN(const bool is_directory, files_.IsDirectory(path));
    if (is_directory) return AddFolder(path, depth + 1);
    TENOR_ASSIGN_OR_RETURN(const bool is_text, LooksLikeText(files_, path));
    if (is_text) return AddFile(path);
    ++found_.skipped;
    return absl::OkStatus();
  }

  FileSystem& files_;
  const std::string except_;
  InputFiles found_;
};

}  // namespace

absl::StatusOr<InputFiles> ListInputFiles(FileSystem& files, const std::vector<std::string>& paths,
                                          absl::string_view except) {
  if (paths.empty()) return absl::InvalidArgumentError("no input is given; name files or folders");
  Lister lister(files, except);
  for (const std::string& path : paths) TENOR_RETURN_IF_ERROR(lister.AddPath(path));
  return std::move(lister).Take();
}

}  // namespace tenor

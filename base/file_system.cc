#include "base/file_system.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/status.h"

namespace tenor {

absl::Status WritableFile::Append(absl::string_view data) {
  return Append(std::as_bytes(std::span<const char>(data.data(), data.size())));
}

absl::StatusOr<std::string> FileSystem::ReadFile(absl::string_view path, uint64_t limit) {
  TENOR_ASSIGN_OR_RETURN(std::unique_ptr<RandomAccessFile> file, Open(path));
  if (file->Size() > limit) {
    return absl::ResourceExhaustedError(absl::StrCat("read ", path, ": ", file->Size(),
                                                     " bytes are more than the limit of ", limit));
  }
  std::string contents(file->Size(), '\0');
  TENOR_RETURN_IF_ERROR(file->Read(0, std::as_writable_bytes(std::span<char>(contents))));
  return contents;
}

}  // namespace tenor

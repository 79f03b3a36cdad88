#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/check.h"
#include "base/memory_file_system.h"
#include "data/text_reader.h"

namespace {

void Write(tenor::FileSystem& files, absl::string_view path, absl::string_view bytes) {
  auto file = files.Create(path);
  CHECK(file.ok() && (*file)->Append(bytes).ok() && (*file)->Close().ok());
}

}  // namespace

// The input up to the first zero byte is dataset.textproto, the rest index.bin; the text is fixed.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const absl::string_view input(reinterpret_cast<const char*>(data), size);
  const size_t end = std::min(input.find('\0'), input.size());
  tenor::MemoryFileSystem files;
  Write(files, "dataset.textproto", input.substr(0, end));
  Write(files, "index.bin", input.substr(end < input.size() ? end + 1 : end));
  Write(files, "train.bin", "\n a \n bc \n d ");
  Write(files, "heldout.bin", "\n e ");
  const auto opened = tenor::OpenTextDataSet(files, "");
  if (!opened.ok()) return 0;
  (void)(*opened)->VerifyChecksums();
  for (int64_t i = -1; i < 8; ++i) {
    (void)(*opened)->TrainDocument(i);
    (void)(*opened)->HeldOutDocument(i);
  }
  return 0;
}

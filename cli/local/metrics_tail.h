#ifndef TENOR_CLI_LOCAL_METRICS_TAIL_H_
#define TENOR_CLI_LOCAL_METRICS_TAIL_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/file_system.h"

namespace tenor {

// What a line of metrics.jsonl says of one round.
struct StepSample {
  int64_t step = 0;
  std::string verdict;  // "applied", "skipped", "dropped", "void"
  double loss_nats = 0;
  int64_t samples = 0;
  double seconds = 0;
  int64_t members = 0;
};

// The lines that are added to a run's metrics.jsonl. Single-threaded.
class MetricsTail {
 public:
  // `files` is borrowed.
  MetricsTail(FileSystem& files, std::string path);

  // What was written until now is not reported. A file that is not there yet is empty.
  absl::Status SkipToEnd();

  // The lines completed since the last call, at most kMaxBytes of them; those that are none of
  // ours are left out. Errors are those of the file system; a missing file is none.
  absl::StatusOr<std::vector<StepSample>> Poll();

  static constexpr uint64_t kMaxBytes = uint64_t{1} << 20;

 private:
  // The bytes from offset_ on; empty if there are none.
  absl::StatusOr<std::string> ReadNew() const;

  FileSystem& files_;
  const std::string path_;
  uint64_t offset_ = 0;
};

// The last `lines` lines of a file, from its last 64 KiB.
absl::StatusOr<std::string> LastLines(FileSystem& files, absl::string_view path, int lines);

}  // namespace tenor

#endif  // TENOR_CLI_LOCAL_METRICS_TAIL_H_

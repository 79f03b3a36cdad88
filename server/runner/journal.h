#ifndef TENOR_SERVER_RUNNER_JOURNAL_H_
#define TENOR_SERVER_RUNNER_JOURNAL_H_

#include <functional>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "base/file_system.h"
#include "base/mutex.h"
#include "server/core/effects.h"
#include "server/runner/feed.h"
#include "server/runner/task_pool.h"

namespace tenor {

// One verdict with its time.
struct StepRecord {
  StepDone step;
  absl::Duration seconds;  // since the verdict before; zero for the first
  absl::Time time;
};

// The line of events.jsonl: {time, step, lineage, round, view, kind, who, reason, detail}.
std::string EventJson(const Note& note, absl::Time time);

// The line of metrics.jsonl: keys are the names of metrics without prefix (docs/formats.md).
std::string StepJson(const StepRecord& record);

// The run's events and steps: two files of JSON lines, and two feeds. Files are written by a
// thread of their own, in order. Thread-safe.
class Journal {
 public:
  // `on_error` hears once that a file cannot be written any more; training goes on without it.
  using OnError = std::function<void(const absl::Status&)>;

  // Appends to events.jsonl and metrics.jsonl in `folder`. Errors of the file system.
  static absl::StatusOr<std::unique_ptr<Journal>> Open(FileSystem& files, absl::string_view folder,
                                                       OnError on_error);

  ~Journal();

  void Add(const Note& note, absl::Time time);
  void Add(const StepRecord& record);

  Feed<std::string>& events() { return events_; }
  Feed<StepRecord>& steps() { return steps_; }

 private:
  class Lines;
  Journal(std::unique_ptr<Lines> events, std::unique_ptr<Lines> steps);

  Feed<std::string> events_;
  Feed<StepRecord> steps_;
  const std::shared_ptr<Lines> event_lines_;
  const std::shared_ptr<Lines> step_lines_;
  TaskPool writer_{1};
};

}  // namespace tenor

#endif  // TENOR_SERVER_RUNNER_JOURNAL_H_

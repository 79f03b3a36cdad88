#ifndef TENOR_TESTS_PROCESS_RUN_LOG_H_
#define TENOR_TESTS_PROCESS_RUN_LOG_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/time/time.h"

namespace tenor {

// A line of metrics.jsonl.
struct StepLine {
  absl::Duration seen;  // MonotonicNow() when it was read
  int64_t step = 0;     // version after the verdict
  int64_t lineage = 0;
  int64_t round = 0;
  int64_t view = 0;
  std::string verdict;  // applied, skipped, dropped, void
  double loss_nats = 0;
  int64_t samples = 0;
  int64_t samples_total = 0;
  int64_t accumulation_steps = 0;
  int64_t members = 0;
  double seconds = 0;
};

// A line of events.jsonl.
struct EventLine {
  int64_t step = 0;
  int64_t lineage = 0;
  int64_t round = 0;
  std::string kind;
  std::string who;
  std::string reason;
  std::string detail;
};

// What the run has written so far. Every line has to parse (CHECK): a half line at the end is left
// for the next call. Single-threaded.
class RunLog {
 public:
  explicit RunLog(std::string run_dir) : run_dir_(std::move(run_dir)) {}

  const std::vector<StepLine>& Steps();
  const std::vector<EventLine>& Events();

  // The applied and dropped rounds that the newest parameters come from: a lineage replaces what
  // an older one did from its base on.
  std::vector<StepLine> Path();

  // Samples of Path().
  int64_t CommittedSamples();

 private:
  // The complete lines that were added to a file since *offset.
  std::vector<std::string> NewLines(const std::string& name, uint64_t* offset) const;

  const std::string run_dir_;
  uint64_t steps_offset_ = 0;
  uint64_t events_offset_ = 0;
  std::vector<StepLine> steps_;
  std::vector<EventLine> events_;
};

}  // namespace tenor

#endif  // TENOR_TESTS_PROCESS_RUN_LOG_H_

#ifndef TENOR_CLI_LOCAL_RUN_PROGRESS_H_
#define TENOR_CLI_LOCAL_RUN_PROGRESS_H_

#include <cstdint>
#include <deque>
#include <string>

#include "absl/time/time.h"
#include "cli/local/metrics_tail.h"
#include "proto/spec.pb.h"

namespace tenor {

// What the rounds of a run amount to, in lines for people. Single-threaded.
class RunProgress {
 public:
  explicit RunProgress(const spec::StopSpec& stop) : stop_(stop) {}

  void Add(const StepSample& sample);

  // The newest step that was applied; 0 for none.
  int64_t step() const { return step_; }

  // "step 120 of 2000  loss 1.9342 nats  2.7904 bits  12.3k bytes/s  2 workers  3m10s left"; before
  // the first step "waiting for the first step". Plain characters only.
  std::string Text() const;

  // "2000 steps (to step 2000) in 5m12s: loss 1.2300 nats, 1.7745 bits per character, 3 skipped
  // rounds". Steps are those that were added.
  std::string Summary(absl::Duration elapsed) const;

 private:
  struct Round {
    double seconds = 0;
    int64_t samples = 0;
    bool applied = false;
  };

  // Of the newest rounds; 0 while unknown.
  double SamplesPerSecond() const;
  double SecondsPerStep() const;

  const spec::StopSpec stop_;
  std::deque<Round> newest_;
  int64_t step_ = 0;
  double loss_ = 0;
  int64_t members_ = 0;
  int64_t applied_ = 0;
  int64_t skipped_ = 0;
  int64_t dropped_ = 0;
};

}  // namespace tenor

#endif  // TENOR_CLI_LOCAL_RUN_PROGRESS_H_

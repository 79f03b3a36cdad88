#ifndef TENOR_SERVER_SERVER_METRICS_H_
#define TENOR_SERVER_SERVER_METRICS_H_

#include <map>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "base/metrics/metrics.h"
#include "base/mutex.h"
#include "server/runner/journal.h"
#include "server/runner/operators.h"
#include "server/runner/shard_runner.h"

namespace tenor {

// The metrics of a server process (docs/operations.md). The run's own (steps, members) are there
// on every server and filled in on server 0. Thread-safe.
class ServerMetrics {
 public:
  // InvalidArgument: a label value that the registry does not take.
  static absl::StatusOr<std::unique_ptr<ServerMetrics>> Create(absl::string_view run,
                                                               absl::string_view version,
                                                               bool text_samples);

  ~ServerMetrics();

  void OnStep(const StepRecord& record);
  void OnNote(const Note& note);
  // What is read, not counted; before each scrape. `now` is monotonic.
  void Update(const RunView& view, absl::Duration now);
  void Update(const ShardTotals& totals);

  std::string Text() const { return registry_->TextExposition(); }

 private:
  struct Families;
  struct Worker {
    double compute = 0;
    double wait = 0;
    absl::Duration seen;
  };

  ServerMetrics(std::unique_ptr<MetricRegistry> registry, std::unique_ptr<Families> families,
                bool text_samples);
  void UpdateWorkers(const RunView& view, absl::Duration now) TENOR_REQUIRES(mu_);

  const std::unique_ptr<MetricRegistry> registry_;
  const std::unique_ptr<Families> families_;
  const bool text_samples_;  // a sample is a byte, and so a token
  Mutex mu_;
  std::map<std::string, Worker> workers_ TENOR_GUARDED_BY(mu_);
  absl::Duration updated_ TENOR_GUARDED_BY(mu_);
  int64_t bytes_in_ TENOR_GUARDED_BY(mu_) = 0;
  int64_t bytes_out_ TENOR_GUARDED_BY(mu_) = 0;
  int64_t overhead_in_ TENOR_GUARDED_BY(mu_) = 0;
  int64_t overhead_out_ TENOR_GUARDED_BY(mu_) = 0;
  double save_wait_ TENOR_GUARDED_BY(mu_) = 0;
};

}  // namespace tenor

#endif  // TENOR_SERVER_SERVER_METRICS_H_

#ifndef TENOR_WORKER_WORKER_METRICS_H_
#define TENOR_WORKER_WORKER_METRICS_H_

#include <map>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/metrics/metrics.h"
#include "base/mutex.h"
#include "worker/worker_loop.h"

namespace tenor {

// A worker's Prometheus metrics (docs/operations.md), made from its WorkerView at each scrape.
// Thread-safe.
class WorkerMetrics {
 public:
  // Errors: InvalidArgument (a run's or worker's name that no label can hold).
  static absl::StatusOr<std::unique_ptr<WorkerMetrics>> Create(absl::string_view run,
                                                               absl::string_view worker,
                                                               absl::string_view version);

  // The body of /metrics.
  std::string Scrape(const WorkerView& view) TENOR_EXCLUDES(mu_);

 private:
  WorkerMetrics(std::unique_ptr<MetricRegistry> registry, absl::string_view worker);

  absl::Status AddFamilies();
  // Brings a counter up to a total that only grows.
  void Raise(MetricCounter* counter, const LabelValues& labels, double total) TENOR_REQUIRES(mu_);

  const std::unique_ptr<MetricRegistry> registry_;
  const std::string worker_;
  MetricGauge* step_ = nullptr;
  MetricGauge* accumulation_steps_ = nullptr;
  MetricGauge* member_ = nullptr;
  MetricGauge* queue_bytes_ = nullptr;
  MetricGauge* build_info_ = nullptr;
  MetricCounter* compute_seconds_ = nullptr;
  MetricCounter* wait_seconds_ = nullptr;
  MetricCounter* micro_batches_ = nullptr;
  MetricCounter* samples_ = nullptr;
  MetricCounter* wire_bytes_ = nullptr;
  Mutex mu_;
  std::map<std::pair<MetricCounter*, LabelValues>, double> totals_ TENOR_GUARDED_BY(mu_);
};

}  // namespace tenor

#endif  // TENOR_WORKER_WORKER_METRICS_H_

#include "worker/worker_metrics.h"

#include <utility>

#include "base/status.h"

namespace tenor {

WorkerMetrics::WorkerMetrics(std::unique_ptr<MetricRegistry> registry, absl::string_view worker)
    : registry_(std::move(registry)), worker_(worker) {}

absl::StatusOr<std::unique_ptr<WorkerMetrics>> WorkerMetrics::Create(absl::string_view run,
                                                                     absl::string_view worker,
                                                                     absl::string_view version) {
  TENOR_ASSIGN_OR_RETURN(std::unique_ptr<MetricRegistry> registry,
                         MetricRegistry::Create({{"run", std::string(run)}}));
  std::unique_ptr<WorkerMetrics> metrics(new WorkerMetrics(std::move(registry), worker));
  TENOR_RETURN_IF_ERROR(metrics->AddFamilies());
  metrics->build_info_->Set({std::string(version)}, 1);
  return metrics;
}

absl::Status WorkerMetrics::AddFamilies() {
  struct Gauge {
    MetricGauge** gauge;
    const char* name;
    const char* help;
    std::vector<std::string> labels;
  };
  const std::vector<Gauge> gauges = {
      {&step_, "tenor_step", "Version that this worker computes on.", {}},
      {&accumulation_steps_, "tenor_accumulation_steps", "Of the present round.", {}},
      {&member_, "tenor_member", "1 while this worker is a member of the view.", {}},
      {&queue_bytes_, "tenor_queue_bytes", "Bytes that wait in a queue.", {"queue"}},
      {&build_info_, "tenor_build_info", "1, labelled with the version.", {"version"}},
  };
  for (const Gauge& g : gauges) {
    TENOR_ASSIGN_OR_RETURN(*g.gauge, registry_->AddGauge(g.name, g.help, g.labels));
  }
  struct Counter {
    MetricCounter** counter;
    const char* name;
    const char* help;
    std::vector<std::string> labels;
  };
  const std::vector<Counter> counters = {
      {&compute_seconds_, "tenor_worker_compute_seconds_total", "Time spent on gradients.",
       {"worker"}},
      {&wait_seconds_, "tenor_worker_wait_seconds_total", "Time spent on anything else.",
       {"worker"}},
      {&micro_batches_, "tenor_micro_batches_total", "Micro-batches computed.", {}},
      {&samples_, "tenor_samples_total", "Samples computed by this process.", {}},
      {&wire_bytes_, "tenor_wire_bytes_total", "Bytes to and from the servers.",
       {"direction", "kind"}},
  };
  for (const Counter& c : counters) {
    TENOR_ASSIGN_OR_RETURN(*c.counter, registry_->AddCounter(c.name, c.help, c.labels));
  }
  return absl::OkStatus();
}

void WorkerMetrics::Raise(MetricCounter* counter, const LabelValues& labels, double total) {
  double& before = totals_[{counter, labels}];
  counter->Increment(labels, total - before);
  before = total;
}

std::string WorkerMetrics::Scrape(const WorkerView& view) {
  MutexLock lock(mu_);
  step_->Set(static_cast<double>(view.version));
  accumulation_steps_->Set(view.accumulation_steps);
  member_->Set(view.in_round ? 1 : 0);
  queue_bytes_->Set({"kept"}, static_cast<double>(view.kept_bytes));
  Raise(compute_seconds_, {worker_}, view.compute_seconds);
  Raise(wait_seconds_, {worker_}, view.wait_seconds);
  Raise(micro_batches_, {}, static_cast<double>(view.micro_batches));
  Raise(samples_, {}, static_cast<double>(view.samples));
  Raise(wire_bytes_, {"out", "payload"}, static_cast<double>(view.pushed_bytes));
  Raise(wire_bytes_, {"in", "payload"}, static_cast<double>(view.pulled_bytes));
  return registry_->TextExposition();
}

}  // namespace tenor

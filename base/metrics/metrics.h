#ifndef TENOR_BASE_METRICS_METRICS_H_
#define TENOR_BASE_METRICS_METRICS_H_

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

// Metrics in Prometheus' data model and text format
// (https://prometheus.io/docs/instrumenting/exposition_formats).

namespace tenor {

// The values of a family's labels, in the order in which the family names them; a value may be any
// text: what is no UTF-8 is replaced. A wrong number of values is a bug and trips a CHECK.
using LabelValues = std::vector<std::string>;

// One family is kept to this many series, so that names that come from peers cannot fill the
// memory; those beyond share one whose values are all "other".
inline constexpr size_t kMaxSeries = 4096;

// Only goes up. Thread-safe.
class MetricCounter {
 public:
  virtual ~MetricCounter() = default;

  // Negative amounts and what is not finite are dropped.
  virtual void Increment(const LabelValues& values, double amount) = 0;
  void Increment(double amount = 1) { Increment({}, amount); }

  // Makes the series appear, at 0 if it is new.
  void Touch(const LabelValues& values) { Increment(values, 0); }

  // The series vanishes; later it begins at 0 again. Nothing if there is none.
  virtual void Remove(const LabelValues& values) = 0;
};

// Thread-safe.
class MetricGauge {
 public:
  virtual ~MetricGauge() = default;

  virtual void Set(const LabelValues& values, double value) = 0;
  void Set(double value) { Set({}, value); }

  // The series vanishes. Nothing if there is none.
  virtual void Remove(const LabelValues& values) = 0;
};

// All metrics of a process. Thread-safe.
class MetricRegistry {
 public:
  // What the body of a /metrics response is.
  static constexpr char kContentType[] = "text/plain; version=0.0.4; charset=utf-8";

  // Every series carries these labels: {{"run", "mlstm-fortunes"}}.
  // InvalidArgument: a name that is no label name.
  static absl::StatusOr<std::unique_ptr<MetricRegistry>> Create(
      const std::map<std::string, std::string>& constant_labels);

  virtual ~MetricRegistry() = default;

  // A new family, owned by the registry. Without label names its one series is there from the
  // start; otherwise a series appears at its first use.
  // InvalidArgument: a bad name (a counter's ends in "_total", a gauge's does not), no help text, a
  // bad label name or one that is there twice. AlreadyExists: the name is taken.
  virtual absl::StatusOr<MetricCounter*> AddCounter(absl::string_view name, absl::string_view help,
                                                    std::vector<std::string> label_names) = 0;
  virtual absl::StatusOr<MetricGauge*> AddGauge(absl::string_view name, absl::string_view help,
                                                std::vector<std::string> label_names) = 0;

  // All series, as text.
  virtual std::string TextExposition() const = 0;
};

}  // namespace tenor

#endif  // TENOR_BASE_METRICS_METRICS_H_

#include "base/metrics/metrics.h"

#include <prometheus/check_names.h>
#include <prometheus/counter.h>
#include <prometheus/family.h>
#include <prometheus/gauge.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include <cmath>
#include <cstddef>
#include <exception>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/check.h"
#include "base/mutex.h"
#include "base/status.h"
#include "base/utf8.h"

namespace tenor {
namespace {

using ConstantLabels = std::map<std::string, std::string>;

absl::Status CheckLabelNames(absl::string_view metric, const std::vector<std::string>& names,
                             const ConstantLabels& constant_labels) {
  std::set<std::string> seen;
  for (const std::string& name : names) {
    // "__" is Prometheus' own.
    if (!prometheus::CheckLabelName(name) || absl::StartsWith(name, "__")) {
      return absl::InvalidArgumentError(
          absl::StrCat("metric ", metric, ": \"", name, "\" is no label name"));
    }
    if (!seen.insert(name).second || constant_labels.count(name) != 0) {
      return absl::InvalidArgumentError(
          absl::StrCat("metric ", metric, ": label ", name, " is there twice"));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckNameAndHelp(absl::string_view name, absl::string_view help, bool is_counter) {
  if (!prometheus::CheckMetricName(std::string(name))) {
    return absl::InvalidArgumentError(absl::StrCat("\"", name, "\" is no metric name"));
  }
  if (absl::EndsWith(name, "_total") != is_counter) {
    return absl::InvalidArgumentError(
        absl::StrCat("metric ", name, ": a counter's name ends in _total, no other does"));
  }
  if (help.empty()) {
    return absl::InvalidArgumentError(absl::StrCat("metric ", name, ": it has no help text"));
  }
  return absl::OkStatus();
}

// The series of one family by their label values.
template <typename Metric>
class SeriesTable {
 public:
  SeriesTable(prometheus::Family<Metric>& family, std::vector<std::string> label_names)
      : family_(family), label_names_(std::move(label_names)) {}

  // Calls update(series) while it cannot be removed.
  template <typename Update>
  void With(const LabelValues& values, Update update) {
    CHECK_EQ(values.size(), label_names_.size());
    MutexLock lock(mu_);
    update(Find(values));
  }

  void Remove(const LabelValues& values) {
    MutexLock lock(mu_);
    const auto found = series_.find(values);
    if (found == series_.end()) return;
    family_.Remove(found->second);
    series_.erase(found);
  }

 private:
  Metric& Find(const LabelValues& values) TENOR_REQUIRES(mu_) {
    const auto found = series_.find(values);
    if (found != series_.end()) return *found->second;
    if (series_.size() >= kMaxSeries) {
      const LabelValues other(label_names_.size(), "other");
      if (values != other) return Find(other);
    }
    Metric& metric = family_.Add(Labels(values));
    series_[values] = &metric;
    return metric;
  }

  prometheus::Labels Labels(const LabelValues& values) const {
    prometheus::Labels labels;
    for (size_t i = 0; i < values.size(); ++i) labels[label_names_[i]] = ReplaceBadUtf8(values[i]);
    return labels;
  }

  prometheus::Family<Metric>& family_;
  const std::vector<std::string> label_names_;
  Mutex mu_;
  std::map<LabelValues, Metric*> series_ TENOR_GUARDED_BY(mu_);
};

class PrometheusCounter : public MetricCounter {
 public:
  PrometheusCounter(prometheus::Family<prometheus::Counter>& family,
                    std::vector<std::string> label_names)
      : series_(family, std::move(label_names)) {}

  void Increment(const LabelValues& values, double amount) override {
    const double counted = std::isfinite(amount) && amount > 0 ? amount : 0;
    series_.With(values, [counted](prometheus::Counter& counter) { counter.Increment(counted); });
  }

  void Remove(const LabelValues& values) override { series_.Remove(values); }

 private:
  SeriesTable<prometheus::Counter> series_;
};

class PrometheusGauge : public MetricGauge {
 public:
  PrometheusGauge(prometheus::Family<prometheus::Gauge>& family,
                  std::vector<std::string> label_names)
      : series_(family, std::move(label_names)) {}

  void Set(const LabelValues& values, double value) override {
    series_.With(values, [value](prometheus::Gauge& gauge) { gauge.Set(value); });
  }

  void Remove(const LabelValues& values) override { series_.Remove(values); }

 private:
  SeriesTable<prometheus::Gauge> series_;
};

class PrometheusRegistry : public MetricRegistry {
 public:
  explicit PrometheusRegistry(ConstantLabels constant_labels)
      : constant_labels_(std::move(constant_labels)) {}

  absl::StatusOr<MetricCounter*> AddCounter(absl::string_view name, absl::string_view help,
                                            std::vector<std::string> label_names) override {
    TENOR_RETURN_IF_ERROR(CheckNameAndHelp(name, help, /*is_counter=*/true));
    TENOR_ASSIGN_OR_RETURN(
        MetricCounter * counter,
        (Add<PrometheusCounter>(prometheus::BuildCounter(), name, help, label_names, &counters_)));
    if (label_names.empty()) counter->Touch({});
    return counter;
  }

  absl::StatusOr<MetricGauge*> AddGauge(absl::string_view name, absl::string_view help,
                                        std::vector<std::string> label_names) override {
    TENOR_RETURN_IF_ERROR(CheckNameAndHelp(name, help, /*is_counter=*/false));
    TENOR_ASSIGN_OR_RETURN(
        MetricGauge * gauge,
        (Add<PrometheusGauge>(prometheus::BuildGauge(), name, help, label_names, &gauges_)));
    if (label_names.empty()) gauge->Set(0);
    return gauge;
  }

  std::string TextExposition() const override {
    return prometheus::TextSerializer().Serialize(registry_.Collect());
  }

 private:
  template <typename Metric, typename Builder, typename Owner>
  absl::StatusOr<Metric*> Add(Builder builder, absl::string_view name, absl::string_view help,
                              const std::vector<std::string>& label_names, Owner* owner) {
    TENOR_RETURN_IF_ERROR(CheckLabelNames(name, label_names, constant_labels_));
    MutexLock lock(mu_);
    if (!names_.insert(std::string(name)).second) {
      return absl::AlreadyExistsError(absl::StrCat("metric ", name, " is there already"));
    }
    try {
      auto& family = builder.Name(std::string(name))
                         .Help(std::string(help))
                         .Labels(constant_labels_)
                         .Register(registry_);
      auto metric = std::make_unique<Metric>(family, label_names);
      Metric* const borrowed = metric.get();
      owner->push_back(std::move(metric));
      return borrowed;
    } catch (const std::exception& error) {
      return absl::InvalidArgumentError(absl::StrCat("metric ", name, ": ", error.what()));
    }
  }

  const ConstantLabels constant_labels_;
  prometheus::Registry registry_;
  Mutex mu_;
  std::set<std::string> names_ TENOR_GUARDED_BY(mu_);
  // Written under mu_; handed out by pointer, so never shrunk.
  std::vector<std::unique_ptr<MetricCounter>> counters_;
  std::vector<std::unique_ptr<MetricGauge>> gauges_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<MetricRegistry>> MetricRegistry::Create(
    const std::map<std::string, std::string>& constant_labels) {
  std::vector<std::string> names;
  ConstantLabels labels;
  for (const auto& [name, value] : constant_labels) {
    names.push_back(name);
    labels[name] = ReplaceBadUtf8(value);
  }
  TENOR_RETURN_IF_ERROR(CheckLabelNames("registry", names, {}));
  return std::make_unique<PrometheusRegistry>(std::move(labels));
}

}  // namespace tenor

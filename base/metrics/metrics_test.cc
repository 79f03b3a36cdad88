#include "base/metrics/metrics.h"

#include <limits>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/status_testing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tenor {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class MetricsTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK_AND_ASSIGN(registry_, MetricRegistry::Create({{"run", "test"}}));
  }

  MetricCounter& Counter(std::vector<std::string> labels = {}) {
    return **registry_->AddCounter("tenor_a_total", "Counts a.", std::move(labels));
  }

  MetricGauge& Gauge(std::vector<std::string> labels = {}) {
    return **registry_->AddGauge("tenor_b", "Is b.", std::move(labels));
  }

  std::string Text() const { return registry_->TextExposition(); }

  std::unique_ptr<MetricRegistry> registry_;
};

TEST_F(MetricsTest, WholeText) {
  MetricCounter& counter = Counter({"verdict"});
  counter.Increment({"applied"}, 2);
  Gauge().Set(1.5);
  EXPECT_EQ(Text(),
            "# HELP tenor_a_total Counts a.\n"
            "# TYPE tenor_a_total counter\n"
            "tenor_a_total{run=\"test\",verdict=\"applied\"} 2\n"
            "# HELP tenor_b Is b.\n"
            "# TYPE tenor_b gauge\n"
            "tenor_b{run=\"test\"} 1.5\n");
}

TEST_F(MetricsTest, WithoutLabelsASeriesIsThereFromTheStart) {
  Counter();
  Gauge();
  EXPECT_THAT(Text(), HasSubstr("tenor_a_total{run=\"test\"} 0\n"));
  EXPECT_THAT(Text(), HasSubstr("tenor_b{run=\"test\"} 0\n"));
}

TEST_F(MetricsTest, CounterOnlyGoesUp) {
  MetricCounter& counter = Counter();
  counter.Increment();
  counter.Increment(2);
  counter.Increment(-5);
  counter.Increment(std::numeric_limits<double>::quiet_NaN());
  counter.Increment(std::numeric_limits<double>::infinity());
  EXPECT_THAT(Text(), HasSubstr("tenor_a_total{run=\"test\"} 3\n"));
}

TEST_F(MetricsTest, RemovedSeriesVanishAndBeginAnew) {
  MetricCounter& counter = Counter({"worker"});
  counter.Increment({"w0"}, 5);
  counter.Increment({"w1"}, 1);
  counter.Remove({"w0"});
  counter.Remove({"never there"});
  EXPECT_THAT(Text(), Not(HasSubstr("w0")));
  EXPECT_THAT(Text(), HasSubstr("worker=\"w1\"} 1\n"));
  counter.Touch({"w0"});
  EXPECT_THAT(Text(), HasSubstr("worker=\"w0\"} 0\n"));
  MetricGauge& gauge = Gauge({"worker"});
  gauge.Set({"w2"}, 1);
  gauge.Remove({"w2"});
  EXPECT_THAT(Text(), Not(HasSubstr("w2")));
}

TEST_F(MetricsTest, AnyTextMayBeALabelsValue) {
  Counter({"worker"}).Increment({"a\"b\\c\nd\xff"}, 1);
  EXPECT_THAT(Text(), HasSubstr("worker=\"a\\\"b\\\\c\\nd\xef\xbf\xbd\"} 1\n"));
}

TEST_F(MetricsTest, BadNamesAreRefusedAndNotThrown) {
  for (const char* name : {"", "1a_total", "a-b_total", "a b_total", "__a_total", "a\n_total"}) {
    EXPECT_THAT(registry_->AddCounter(name, "Help.", {}),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(name)));
  }
  EXPECT_THAT(registry_->AddCounter("tenor_a", "Help.", {}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("_total")));
  EXPECT_THAT(registry_->AddGauge("tenor_a_total", "Help.", {}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("_total")));
  EXPECT_THAT(registry_->AddGauge("tenor_a", "", {}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("help")));
}

TEST_F(MetricsTest, BadLabelNamesAreRefusedAndNotThrown) {
  for (const char* label : {"", "1a", "a-b", "__a"}) {
    EXPECT_THAT(registry_->AddGauge("tenor_a", "Help.", {label}),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(label)));
    EXPECT_THAT(MetricRegistry::Create({{label, "x"}}),
                StatusIs(absl::StatusCode::kInvalidArgument));
  }
  EXPECT_THAT(registry_->AddGauge("tenor_a", "Help.", {"k", "k"}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("twice")));
  EXPECT_THAT(registry_->AddGauge("tenor_a", "Help.", {"run"}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("label run is there twice")));
  EXPECT_OK(registry_->AddGauge("tenor_a", "Help.", {"k"}));
}

TEST_F(MetricsTest, ANameIsTakenOnce) {
  EXPECT_OK(registry_->AddGauge("tenor_a", "Help.", {}));
  EXPECT_THAT(registry_->AddGauge("tenor_a", "Help.", {"k"}),
              StatusIs(absl::StatusCode::kAlreadyExists, HasSubstr("tenor_a")));
}

TEST_F(MetricsTest, AFamilyIsBounded) {
  MetricCounter& counter = Counter({"worker"});
  for (size_t i = 0; i < kMaxSeries + 10; ++i) counter.Increment({absl::StrCat("w", i)}, 1);
  EXPECT_THAT(Text(), HasSubstr("worker=\"other\"} 10\n"));
  const std::vector<std::string> lines = absl::StrSplit(Text(), '\n', absl::SkipEmpty());
  EXPECT_EQ(lines.size(), 2 + kMaxSeries + 1);
}

TEST_F(MetricsTest, RegistriesAreApart) {
  ASSERT_OK_AND_ASSIGN(const auto other, MetricRegistry::Create({}));
  Counter().Increment();
  EXPECT_EQ(other->TextExposition(), "");
}

TEST_F(MetricsTest, ThreadsMayUseAndRemoveAtOnce) {
  MetricCounter& counter = Counter({"worker"});
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        for (int i = 0; i < 100; ++i) {
          counter.Increment({"shared"}, 1);
          counter.Increment({absl::StrCat("w", t)}, 1);
          counter.Remove({absl::StrCat("w", (t + 1) % 4)});
          if (i % 25 == 0) Text();
        }
      });
    }
  }
  EXPECT_THAT(Text(), HasSubstr("worker=\"shared\"} 400\n"));
}

TEST_F(MetricsTest, AWrongNumberOfValuesIsABug) {
  MetricCounter& counter = Counter({"worker"});
  EXPECT_DEATH(counter.Increment(1), "check failed");
}

}  // namespace
}  // namespace tenor

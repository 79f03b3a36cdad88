#include "cli/local/metrics_tail.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/memory_file_system.h"
#include "base/status_testing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tenor {
namespace {

constexpr char kPath[] = "/metrics.jsonl";

std::string Line(int step, const char* verdict = "applied") {
  return absl::StrCat(R"({"step":)", step, R"(,"verdict":")", verdict,
                      R"(","loss_nats":1.5,"samples":4096,"seconds":0.25,"members":2})", "\n");
}

class MetricsTailTest : public testing::Test {
 protected:
  void Append(const std::string& text) {
    ASSERT_THAT((*files_.OpenForAppend(kPath))->Append(text), IsOk());
  }
  std::vector<int64_t> PollSteps() {
    std::vector<int64_t> steps;
    const auto samples = tail_.Poll();
    EXPECT_THAT(samples, IsOk());
    for (const StepSample& sample : *samples) steps.push_back(sample.step);
    return steps;
  }

  MemoryFileSystem files_;
  MetricsTail tail_{files_, kPath};
};

TEST_F(MetricsTailTest, MissingFileIsEmpty) {
  EXPECT_THAT(tail_.SkipToEnd(), IsOk());
  EXPECT_THAT(PollSteps(), testing::IsEmpty());
}

TEST_F(MetricsTailTest, ReadsEachLineOnce) {
  Append(Line(1) + Line(2, "skipped"));
  const auto samples = tail_.Poll();
  ASSERT_THAT(samples, IsOk());
  ASSERT_EQ(samples->size(), 2u);
  EXPECT_EQ((*samples)[0].loss_nats, 1.5);
  EXPECT_EQ((*samples)[0].samples, 4096);
  EXPECT_EQ((*samples)[0].seconds, 0.25);
  EXPECT_EQ((*samples)[0].members, 2);
  EXPECT_EQ((*samples)[1].verdict, "skipped");
  Append(Line(3));
  EXPECT_THAT(PollSteps(), testing::ElementsAre(3));
  EXPECT_THAT(PollSteps(), testing::IsEmpty());
}

TEST_F(MetricsTailTest, WaitsForTheEndOfALine) {
  const std::string line = Line(1);
  Append(line.substr(0, 10));
  EXPECT_THAT(PollSteps(), testing::IsEmpty());
  Append(line.substr(10));
  EXPECT_THAT(PollSteps(), testing::ElementsAre(1));
}

TEST_F(MetricsTailTest, SkipsWhatWasThereBefore) {
  Append(Line(1));
  EXPECT_THAT(tail_.SkipToEnd(), IsOk());
  Append(Line(2));
  EXPECT_THAT(PollSteps(), testing::ElementsAre(2));
}

TEST_F(MetricsTailTest, LeavesOutWhatIsNoLineOfOurs) {
  Append("no json\n[1]\n{\"step\":\"x\"}\n{\"step\":4}\n" + Line(5));
  EXPECT_THAT(PollSteps(), testing::ElementsAre(5));
}

TEST_F(MetricsTailTest, LastLines) {
  Append("a\nb\nc\n");
  EXPECT_THAT(LastLines(files_, kPath, 2), IsOkAndHolds(std::string("b\nc\n")));
  EXPECT_THAT(LastLines(files_, kPath, 3), IsOkAndHolds(std::string("a\nb\nc\n")));
  EXPECT_THAT(LastLines(files_, kPath, 9), IsOkAndHolds(std::string("a\nb\nc\n")));
  Append("no end");
  EXPECT_THAT(LastLines(files_, kPath, 1), IsOkAndHolds(std::string("no end")));
}

}  // namespace
}  // namespace tenor

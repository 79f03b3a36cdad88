#include "data/lanes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/memory_file_system.h"
#include "base/status_testing.h"
#include "data/text_dataset.h"
#include "proto/validate.h"

namespace tenor {
namespace {

using ::testing::HasSubstr;

constexpr int kWindow = 4;
constexpr int kLanes = 3;

// A data set of known size, and a job on it: segments of 16 samples, warm-up of two windows.
class LanesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto file = files_.Create("in");
    ASSERT_OK(file);
    std::string text;
    for (int i = 0; i < 98; ++i) text.push_back(static_cast<char>('0' + i % 10));
    ASSERT_OK((*file)->Append(text));
    ASSERT_OK((*file)->Close());
    TextDataSetOptions options;
    options.inputs = {"in"};
    options.output = "set";
    options.heldout_fraction = 0;
    ASSERT_OK(BuildTextDataSet(files_, options, nullptr));
    auto data = OpenTextDataSet(files_, "set");
    ASSERT_OK(data);
    data_ = *std::move(data);
    train_ = *files_.ReadFile("set/train.bin");
    ASSERT_EQ(train_.size(), 101u);
    job_.mutable_data()->mutable_text()->set_bytes(101);
    job_.mutable_data()->mutable_text()->set_segment_bytes(16);
    job_.mutable_data()->mutable_text()->set_warmup_bytes(8);
    job_.mutable_batch()->set_micro_batch(kLanes);
    job_.mutable_batch()->set_window(kWindow);
    job_ = FillDefaults(job_);
  }

  static spec::Lease Lease(int64_t segment, int64_t from, int64_t to, int lane) {
    spec::Lease lease;
    lease.set_segment(segment);
    lease.set_from(from);
    lease.set_to(to);
    lease.set_lane(lane);
    return lease;
  }

  absl::StatusOr<RoundPlan> Plan(const std::vector<spec::Lease>& leases, int steps,
                                 const std::vector<LanePosition>& held = {}) {
    return PlanRound(job_, leases, steps, held);
  }

  // Input bytes of one lane, and whether the targets are the bytes after them.
  std::string Lane(const LaneBatch& batch, int lane) {
    std::string text;
    for (int t = 0; t < batch.lengths[lane]; ++t) {
      text.push_back(static_cast<char>(batch.inputs[t * batch.lanes + lane]));
    }
    for (int t = 0; t + 1 < batch.lengths[lane]; ++t) {
      EXPECT_EQ(batch.targets[t * batch.lanes + lane], batch.inputs[(t + 1) * batch.lanes + lane]);
    }
    return text;
  }

  MemoryFileSystem files_;
  std::unique_ptr<TextDataSet> data_;
  std::string train_;
  spec::JobSpec job_;
};

TEST_F(LanesTest, CutsLeasesIntoWindowsAndCarriesTheState) {
  ASSERT_OK_AND_ASSIGN(const RoundPlan plan,
                       Plan({Lease(0, 0, 8, 0), Lease(5, 12, 16, 1), Lease(2, 0, 4, 1)}, 2));
  ASSERT_EQ(plan.steps.size(), 2u);
  EXPECT_EQ(plan.samples, 16);
  EXPECT_EQ(plan.steps[0][0].start, LaneStart::kZero);
  EXPECT_EQ(plan.steps[1][0].start, LaneStart::kContinue);
  EXPECT_EQ(plan.steps[0][1].start, LaneStart::kReplay);
  EXPECT_EQ(plan.steps[0][1].replay_from, 4);
  EXPECT_EQ(plan.steps[1][1].start, LaneStart::kZero);
  EXPECT_EQ(plan.steps[0][2].start, LaneStart::kIdle);
  EXPECT_EQ(plan.end[0], (LanePosition{0, 0, 8}));
  EXPECT_EQ(plan.end[2], LanePosition{});

  ASSERT_OK_AND_ASSIGN(const RoundPlan next, Plan({Lease(0, 8, 12, 0)}, 2, plan.end));
  EXPECT_EQ(next.steps.size(), 1u);
  EXPECT_EQ(next.steps[0][0].start, LaneStart::kContinue);
  ASSERT_OK_AND_ASSIGN(const RoundPlan rebuilt, Plan({Lease(0, 4, 8, 0)}, 2));
  EXPECT_EQ(rebuilt.steps[0][0].start, LaneStart::kReplay);
  EXPECT_EQ(rebuilt.steps[0][0].replay_from, 0);
}

TEST_F(LanesTest, ReadsWindowsTimeMajor) {
  ASSERT_OK_AND_ASSIGN(const RoundPlan plan, Plan({Lease(1, 0, 4, 0), Lease(6, 0, 4, 2)}, 1));
  LaneBatch batch;
  ASSERT_OK(LaneReader(*data_, job_).FillWindow(plan.steps[0], &batch));
  EXPECT_EQ(batch.lanes, kLanes);
  EXPECT_EQ(batch.window, kWindow);
  EXPECT_EQ(batch.lengths, (std::vector<int>{4, 0, 4}));
  EXPECT_EQ(batch.resets, (std::vector<bool>{true, false, true}));
  EXPECT_EQ(Lane(batch, 0), train_.substr(16, 4));
  EXPECT_EQ(Lane(batch, 2), train_.substr(96, 4));
  EXPECT_EQ(batch.targets[3 * kLanes + 2], static_cast<uint8_t>(train_[100]));
}

TEST_F(LanesTest, TheLastTargetOfASegmentIsTheNextSegmentsFirstByte) {
  ASSERT_OK_AND_ASSIGN(const RoundPlan plan, Plan({Lease(0, 12, 16, 0)}, 1));
  LaneBatch batch;
  ASSERT_OK(LaneReader(*data_, job_).FillWindow(plan.steps[0], &batch));
  EXPECT_EQ(batch.targets[3 * kLanes], static_cast<uint8_t>(train_[16]));
}

TEST_F(LanesTest, ReplaysEndTogether) {
  ASSERT_OK_AND_ASSIGN(const RoundPlan plan,
                       Plan({Lease(1, 4, 8, 0), Lease(2, 12, 16, 1), Lease(3, 0, 4, 2)}, 1));
  const LaneReader reader(*data_, job_);
  ASSERT_EQ(reader.ReplayWindows(plan.steps[0]), 2);
  LaneBatch batch;
  ASSERT_OK(reader.FillReplay(plan.steps[0], 0, &batch));
  EXPECT_EQ(batch.lengths, (std::vector<int>{0, 4, 0}));
  EXPECT_EQ(batch.resets, (std::vector<bool>{false, true, false}));
  EXPECT_EQ(Lane(batch, 1), train_.substr(32 + 4, 4));
  ASSERT_OK(reader.FillReplay(plan.steps[0], 1, &batch));
  EXPECT_EQ(batch.lengths, (std::vector<int>{4, 4, 0}));
  EXPECT_EQ(batch.resets, (std::vector<bool>{true, false, false}));
  EXPECT_EQ(Lane(batch, 0), train_.substr(16, 4));
  EXPECT_EQ(Lane(batch, 1), train_.substr(32 + 8, 4));
}

TEST_F(LanesTest, AShortLeaseMakesShortWindowsThatAlignAgain) {
  ASSERT_OK_AND_ASSIGN(const RoundPlan plan, Plan({Lease(0, 0, 6, 0), Lease(0, 6, 9, 0)}, 4));
  ASSERT_EQ(plan.steps.size(), 4u);
  EXPECT_EQ(plan.steps[1][0].to, 6);
  EXPECT_EQ(plan.steps[2][0].to, 8);
  EXPECT_EQ(plan.steps[2][0].start, LaneStart::kContinue);
  EXPECT_EQ(plan.steps[3][0].to, 9);
  EXPECT_EQ(plan.samples, 9);
}

TEST_F(LanesTest, EverySampleOfAPassIsReadOnceForAnyNumberOfSteps) {
  for (int steps = 1; steps <= 4; ++steps) {
    std::vector<int> seen(100, 0);
    for (int64_t segment = 0; segment < 7; ++segment) {
      const int64_t size = segment == 6 ? 4 : 16;
      std::vector<LanePosition> held;
      for (int64_t from = 0; from < size; from += steps * kWindow) {
        const int64_t to = std::min<int64_t>(size, from + steps * kWindow);
        ASSERT_OK_AND_ASSIGN(const RoundPlan plan,
                             Plan({Lease(segment, from, to, 1)}, steps, held));
        for (const auto& step : plan.steps) {
          EXPECT_NE(step[1].start, LaneStart::kReplay);
          for (int64_t i = step[1].from; i < step[1].to; ++i) ++seen[segment * 16 + i];
        }
        held = plan.end;
      }
    }
    EXPECT_EQ(seen, std::vector<int>(100, 1));
  }
}

TEST_F(LanesTest, RefusesLeasesThatDoNotFit) {
  EXPECT_THAT(Plan({Lease(0, 0, 12, 0)}, 2),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("more windows than the 2")));
  for (const spec::Lease& lease :
       {Lease(7, 0, 4, 0), Lease(-1, 0, 4, 0), Lease(0, 0, 17, 0), Lease(6, 0, 5, 0),
        Lease(0, 4, 4, 0), Lease(0, -4, 4, 0), Lease(0, 0, 4, 3), Lease(0, 0, 4, -1),
        Lease(0, INT64_MIN, INT64_MAX, 0), Lease(INT64_MAX, 0, 1, 0)}) {
    EXPECT_THAT(Plan({lease}, 100), StatusIs(absl::StatusCode::kInvalidArgument));
  }
  EXPECT_THAT(Plan({}, 0), StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace tenor

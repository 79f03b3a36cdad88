#include "cli/local/run_progress.h"

#include "gtest/gtest.h"

namespace tenor {
namespace {

spec::StopSpec StopAt(int64_t updates) {
  spec::StopSpec stop;
  stop.set_updates(updates);
  return stop;
}

StepSample Applied(int64_t step, double seconds = 0.5) {
  return {.step = step,
          .verdict = "applied",
          .loss_nats = 2,
          .samples = 4096,
          .seconds = seconds,
          .members = 2};
}

TEST(RunProgressTest, BeforeTheFirstStep) {
  RunProgress progress(StopAt(100));
  EXPECT_EQ(progress.Text(), "waiting for the first step");
  EXPECT_EQ(progress.Summary(absl::Seconds(3)), "no step in 3.0 s");
}

TEST(RunProgressTest, SpeedAndTimeLeft) {
  RunProgress progress(StopAt(100));
  progress.Add(Applied(1, 0));  // the first of a process has no time
  for (int step = 2; step <= 40; ++step) progress.Add(Applied(step));
  EXPECT_EQ(progress.step(), 40);
  EXPECT_EQ(progress.Text(),
            "step 40 of 100  loss 2.0000 nats  2.8854 bits  8192 bytes/s  2 workers  30.0 s left");
}

TEST(RunProgressTest, SkippedRoundsAreShownAndCostTime) {
  RunProgress progress(StopAt(0));
  progress.Add(Applied(1));
  StepSample skipped = Applied(1);
  skipped.verdict = "skipped";
  progress.Add(skipped);
  EXPECT_EQ(progress.Text(),
            "step 1  loss 2.0000 nats  2.8854 bits  4096 bytes/s  2 workers  1 skipped");
}

TEST(RunProgressTest, Summary) {
  RunProgress progress(StopAt(502));
  for (int step = 501; step <= 502; ++step) progress.Add(Applied(step));
  EXPECT_EQ(progress.Summary(absl::Seconds(75)),
            "2 steps (to step 502) in 1m15s: loss 2.0000 nats, 2.8854 bits per character, 0 "
            "skipped rounds");
}

}  // namespace
}  // namespace tenor

#include "cli/job_plan.h"

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "base/status_testing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "proto/job_examples.h"
#include "proto/parse.h"

namespace tenor {
namespace {

using testing::HasSubstr;

spec::JobSpec Job() { return *ParseJobSpec(kExampleJob, "job"); }

TEST(JobPlanTest, CountsOfTheExample) {
  const auto plan = PlanJob(Job(), 1, 2);
  ASSERT_THAT(plan, IsOk());
  // hidden H = 512, embedding E = 64: 256 E + 5 H (1 + E) + 5 H (1 + H) + 4 H + 256 H + 256.
  const int64_t h = 512;
  const int64_t e = 64;
  EXPECT_EQ(plan->parameters, 256 * e + 5 * h * (1 + e) + 5 * h * (1 + h) + 4 * h + 256 * h + 256);
  EXPECT_EQ(plan->chunks, (plan->parameters + plan->chunk_elements - 1) / plan->chunk_elements);
  EXPECT_EQ(plan->samples_per_update, 2 * 16 * 256);
  EXPECT_EQ(plan->server_state, 16 * plan->parameters);
  // fp16: two bytes an element and two a chunk.
  EXPECT_EQ(plan->push_per_worker, 2 * plan->parameters + 2 * plan->chunks);
  EXPECT_EQ(plan->pull_per_worker, plan->push_per_worker);
  EXPECT_GT(plan->segments, 0);
}

TEST(JobPlanTest, ServersShareTheState) {
  const auto one = PlanJob(Job(), 1, 1);
  const auto four = PlanJob(Job(), 4, 1);
  ASSERT_THAT(four, IsOk());
  EXPECT_LE(four->server_state, one->server_state / 4 + 16 * four->chunk_elements);
  EXPECT_GE(4 * four->server_state, one->server_state);
}

TEST(JobPlanTest, AllServersTogetherOwnEverythingWhenThereAreMoreThanChunks) {
  const auto plan = PlanJob(Job(), 100000, 1);
  ASSERT_THAT(plan, IsOk());
  EXPECT_EQ(plan->server_state, 16 * plan->chunk_elements);
}

TEST(JobPlanTest, Refusals) {
  EXPECT_THAT(PlanJob(Job(), 0, 1),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("--servers is 0")));
  EXPECT_THAT(PlanJob(Job(), 1, 100001),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("--workers is 100001")));
}

TEST(JobPlanTest, TextIsCommentLinesOnly) {
  const std::string text = PlanText(*PlanJob(Job(), 1, 1));
  for (size_t at = 0; at != std::string::npos && at < text.size();) {
    EXPECT_EQ(text[at], '#') << text;
    const size_t end = text.find('\n', at);
    at = end == std::string::npos ? end : end + 1;
  }
  EXPECT_THAT(PlanJson(*PlanJob(Job(), 2, 3)), HasSubstr("\"workers\":3"));
}

}  // namespace
}  // namespace tenor

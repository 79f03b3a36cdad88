#include "proto/job_identity.h"

#include <gtest/gtest.h>

#include "proto/job_examples.h"
#include "proto/parse.h"
#include "proto/validate.h"

namespace tenor {
namespace {

spec::JobSpec Example() { return *ParseJobSpec(kExampleJob, "job.textproto"); }

using Lines = std::vector<std::string>;

TEST(JobHashTest, IsPartOfTheFormat) {
  EXPECT_EQ(JobHashText(JobHash(Example())), "9d7d257dc77fe280");
}

TEST(JobHashTest, DefaultsAndPathDoNotCount) {
  spec::JobSpec job = Example();
  const uint64_t hash = JobHash(job);
  job.mutable_data()->mutable_text()->set_path("/somewhere");
  job.mutable_tunables()->clear_push_codec();
  job.clear_loss_scale();
  EXPECT_EQ(JobHash(job), hash);
  EXPECT_TRUE(DiffJobSpecs(job, Example()).empty());
}

TEST(JobHashTest, EveryOtherFieldCounts) {
  spec::JobSpec job = Example();
  job.set_seed(2);
  EXPECT_NE(JobHash(job), JobHash(Example()));
  job = Example();
  job.mutable_optimizer()->mutable_adam()->set_bias_correction(false);
  EXPECT_NE(JobHash(job), JobHash(Example()));
}

TEST(DiffJobSpecsTest, NamesEveryChangedField) {
  spec::JobSpec job = Example();
  job.mutable_schedule()->mutable_linear()->set_peak(0.001f);
  job.mutable_model()->mutable_mlstm()->set_hidden(1024);
  job.mutable_tunables()->set_push_codec(spec::Codec::FP32);
  EXPECT_EQ(DiffJobSpecs(Example(), job),
            (Lines{"model.mlstm.hidden: 512 -> 1024", "schedule.linear.peak: 0.003 -> 0.001",
                   "tunables.push_codec: FP16 -> FP32"}));
}

TEST(DiffJobSpecsTest, ANewMemberOfAOneofIsAbsentBefore) {
  spec::JobSpec job = Example();
  job.mutable_schedule()->mutable_constant()->set_peak(0.5f);
  EXPECT_EQ(DiffJobSpecs(Example(), job), (Lines{"schedule.constant: absent -> { peak: 0.5 }",
                                                 "schedule.linear: { peak: 0.003 } -> absent"}));
}

TEST(DiffJobSpecsTest, ZeroOfAPlainFieldIsAbsent) {
  spec::JobSpec job = Example();
  job.mutable_stop()->set_samples(7);
  EXPECT_EQ(DiffJobSpecs(Example(), job), (Lines{"stop.samples: absent -> 7"}));
}

}  // namespace
}  // namespace tenor

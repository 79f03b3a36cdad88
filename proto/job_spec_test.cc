#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "proto/job_examples.h"
#include "proto/text_segments.h"
#include "proto/validate.h"

namespace tenor {
namespace {

spec::JobSpec Example() {
  spec::JobSpec job;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(std::string(kExampleJob), &job));
  return job;
}

// The example with the fields of `change` merged over it.
spec::JobSpec Changed(const std::string& change) {
  spec::JobSpec other;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(change, &other)) << change;
  spec::JobSpec job = Example();
  job.MergeFrom(other);
  return job;
}

std::string Refusal(const spec::JobSpec& job, DataReference reference = DataReference::kDigest) {
  return std::string(ViolationStatus(FindViolation(job, reference)).message());
}

TEST(FillDefaultsTest, FillsWhatTheCommentsOfSpecProtoPromise) {
  const spec::JobSpec job = FillDefaults(Example());
  EXPECT_EQ(job.model().mlstm().embedding(), 64);
  EXPECT_EQ(job.compute(), spec::Compute::FP32);
  EXPECT_EQ(job.batch().window(), 256);
  EXPECT_EQ(job.data().text().segment_bytes(), 64 * 256);
  EXPECT_EQ(job.data().text().warmup_bytes(), 4 * 256);
  EXPECT_FLOAT_EQ(job.optimizer().adam().beta1(), 0.9f);
  EXPECT_FLOAT_EQ(job.optimizer().adam().beta2(), 0.999f);
  EXPECT_FLOAT_EQ(job.optimizer().adam().epsilon(), 1e-8f);
  EXPECT_TRUE(job.optimizer().adam().bias_correction());
  EXPECT_EQ(job.schedule().key(), spec::ScheduleKey::UPDATES);
  EXPECT_EQ(job.schedule().batch_lr_rule(), spec::BatchLrRule::NONE);
  EXPECT_EQ(job.tunables().push_codec(), spec::Codec::FP16);
  EXPECT_EQ(job.tunables().checkpoint_every(), 500);
  EXPECT_EQ(job.chunk_elements(), 0);
  EXPECT_EQ(job.loss_scale().growth_rounds(), 1000);
}

TEST(FillDefaultsTest, IsIdempotentAndKeepsWhatIsSet) {
  const spec::JobSpec once =
      FillDefaults(Changed("tunables { accumulation_steps: 7 } batch { window: 100 }"));
  EXPECT_EQ(once.tunables().accumulation_steps(), 7);
  EXPECT_EQ(once.data().text().segment_bytes(), 6400);
  EXPECT_EQ(FillDefaults(once).SerializeAsString(), once.SerializeAsString());
}

TEST(FillDefaultsTest, SegmentsGrowWithTheTextUpToOneMebibyteOfWholeWindows) {
  const auto segment = [](int64_t bytes, int window) {
    return FillDefaults(Changed(absl::StrCat("data { text { bytes: ", bytes,
                                             " } } batch { window: ", window, " }")))
        .data()
        .text()
        .segment_bytes();
  };
  EXPECT_EQ(segment(1000, 256), 64 * 256);
  EXPECT_EQ(segment(int64_t{4096} * 20000, 256), 20000 / 256 * 256);
  EXPECT_EQ(segment(int64_t{40} << 30, 256), 1 << 20);
  EXPECT_EQ(segment(int64_t{40} << 30, 1000), (1 << 20) / 1000 * 1000);
  EXPECT_EQ(segment(int64_t{40} << 30, 65536), 64 * 65536);
}

TEST(TextSegmentsTest, CoverEverySampleOnce) {
  for (const int64_t bytes : {2, 10, 11, 12, 21, 22, 1000}) {
    spec::TextData text;
    text.set_bytes(bytes);
    text.set_segment_bytes(10);
    int64_t next = 0;
    for (int64_t i = 0; i < SegmentCount(text); ++i) {
      EXPECT_EQ(SegmentRangeOf(text, i).begin, next);
      EXPECT_GT(SegmentRangeOf(text, i).size(), 0);
      EXPECT_LE(SegmentRangeOf(text, i).size(), 10);
      next = SegmentRangeOf(text, i).end;
    }
    EXPECT_EQ(next, bytes - 1);
  }
}

TEST(FindViolationTest, TakesTheExample) { EXPECT_EQ(Refusal(Example()), ""); }

struct Refused {
  std::string change;
  std::string sentence;  // its beginning
};

TEST(FindViolationTest, RefusesWithFieldValueAndWhatIsAllowed) {
  const Refused cases[] = {
      {"name: 'a/b'", "name is \"a/b\"; allowed are 1 to 64 characters"},
      {"name: '012345678901234567890123456789012345678901234567890123456789abcde'", "name is "},
      {"model { mlstm { hidden: -1 } }", "model.mlstm.hidden is -1; allowed are 1 to 65536"},
      {"model { mlstm { embedding: 65537 } }", "model.mlstm.embedding is 65537;"},
      {"compute: 9", "compute is 9; allowed are FP32, BF16"},
      {"batch { micro_batch: -5 }", "batch.micro_batch is -5; allowed are 1 to 65536"},
      {"batch { window: 65537 }", "batch.window is 65537; allowed are 1 to 65536"},
      {"data { text { digest: 'sha1:12' } }", "data.text.digest is malformed;"},
      {"data { text { digest: 'crc32c:9AB30011' } }", "data.text.digest is malformed;"},
      {"data { text { path: '/x' } }", "data.text.path is set; allowed only"},
      {"data { text { bytes: 1 } }", "data.text.bytes is 1; allowed are 2 to"},
      {"data { text { segment_bytes: 1000 } }",
       "data.text.segment_bytes is 1000, not a whole number of windows; allowed are multiples of "
       "batch.window 256"},
      {"data { text { warmup_bytes: 100 } }", "data.text.warmup_bytes is 100, not a whole number"},
      {"data { text { warmup_bytes: -256 } }", "data.text.warmup_bytes is -256; allowed are 1 to"},
      {"batch { micro_batch: 123 }",
       "data.text.segment_bytes is 16384 and cuts 1990656 bytes into 122 segments, fewer than the "
       "123 lanes of batch.micro_batch"},
      {"optimizer { adam { beta1: 1 } }", "optimizer.adam.beta1 is 1; allowed are numbers from 0"},
      {"optimizer { adam { beta2: nan } }", "optimizer.adam.beta2 is nan;"},
      {"optimizer { adam { epsilon: 0 } }",
       "optimizer.adam.epsilon is 0; allowed are numbers abov"},
      {"optimizer { adam { weight_decay: -1 } }", "optimizer.adam.weight_decay is -1;"},
      {"optimizer { clip_norm: inf }", "optimizer.clip_norm is inf;"},
      {"schedule { key: SAMPLES }",
       "schedule.linear has no end; with key SAMPLES it falls to zero at stop.samples"},
      {"schedule { linear { peak: -1 } }", "schedule.linear.peak is -1;"},
      {"schedule { constant { peak: nan } }", "schedule.constant.peak is nan;"},
      {"schedule { linear_horizon { peak: 1 } }", "schedule.linear_horizon.horizon is 0;"},
      {"schedule { poly { peak: 1 warmup: 2000 } }",
       "schedule.poly.warmup is 2000; allowed are 0 to below stop.updates 2000"},
      {"schedule { poly { peak: 1 degree: 0 } }", "schedule.poly.degree is 0;"},
      {"schedule { batch_lr_rule: SQRT }",
       "schedule.batch_lr_rule is SQRT without schedule.reference_batch"},
      {"schedule { reference_batch: 5 }",
       "schedule.reference_batch is 5 but batch_lr_rule is NONE"},
      {"schedule { batch_lr_rule: 7 }", "schedule.batch_lr_rule is 7;"},
      {"schedule { key: 7 }", "schedule.key is 7;"},
      {"stop { updates: -1 }", "stop.updates is -1;"},
      {"stop { loss_below: nan }", "stop.loss_below is nan;"},
      {"tunables { accumulation_steps: 0 }",
       "tunables.accumulation_steps is 0; allowed are 1 to 65536"},
      {"tunables { push_codec: UNSPECIFIED }", "tunables.push_codec is 0; allowed are FP32, FP16"},
      {"chunk_elements: 1048577", "chunk_elements is 1048577; allowed are 0 to 1048576"},
      {"loss_scale { initial_log2: 16 }",
       "loss_scale.initial_log2 is 16; allowed is 0, because compute FP32"},
      {"loss_scale { max_skips: 0 }", "loss_scale.max_skips is 0;"},
  };
  for (const Refused& refused : cases) {
    const std::string sentence = Refusal(Changed(refused.change));
    EXPECT_EQ(sentence.substr(0, refused.sentence.size()), refused.sentence) << refused.change;
    EXPECT_EQ(sentence.find('\n'), std::string::npos);
  }
}

TEST(FindViolationTest, RefusesWhatIsMissing) {
  const auto without = [](auto clear) {
    spec::JobSpec job = Example();
    clear(&job);
    return Refusal(job);
  };
  EXPECT_EQ(without([](spec::JobSpec* job) { job->clear_name(); }).substr(0, 10), "name is \"\"");
  EXPECT_EQ(without([](spec::JobSpec* job) { job->clear_model(); }).substr(0, 16),
            "model is missing");
  EXPECT_EQ(without([](spec::JobSpec* job) { job->clear_data(); }).substr(0, 15),
            "data is missing");
  EXPECT_EQ(without([](spec::JobSpec* job) { job->clear_optimizer(); }).substr(0, 20),
            "optimizer is missing");
  EXPECT_EQ(without([](spec::JobSpec* job) { job->clear_schedule(); }).substr(0, 19),
            "schedule is missing");
  EXPECT_EQ(without([](spec::JobSpec* job) { job->clear_stop(); }).substr(0, 21),
            "stop has no condition");
}

TEST(FindViolationTest, LinearWithoutUpdatesHasNoEnd) {
  spec::JobSpec job = Example();
  job.mutable_stop()->clear_updates();
  job.mutable_stop()->set_data_epochs(1);
  EXPECT_EQ(Refusal(job).substr(0, 26), "schedule.linear has no end");
}

TEST(FindViolationTest, APathStandsForDigestAndBytesOnlyWhereAllowed) {
  spec::JobSpec job = Example();
  job.mutable_data()->mutable_text()->clear_digest();
  job.mutable_data()->mutable_text()->clear_bytes();
  job.mutable_data()->mutable_text()->set_path("/data");
  EXPECT_EQ(Refusal(job, DataReference::kPathOrDigest), "");
  EXPECT_NE(Refusal(job), "");
  job.mutable_data()->mutable_text()->set_segment_bytes(1000);
  EXPECT_NE(Refusal(job, DataReference::kPathOrDigest), "");
}

TEST(FindViolationTest, AnyRangeOfIntegersIsSafe) {
  for (const int64_t extreme : {INT64_MIN, INT64_MAX, int64_t{-1}}) {
    spec::JobSpec job = Example();
    spec::TextData* text = job.mutable_data()->mutable_text();
    text->set_bytes(extreme);
    EXPECT_NE(Refusal(job), "");
    text->set_bytes(100);
    text->set_segment_bytes(extreme);
    EXPECT_NE(Refusal(job), "");
    text->set_segment_bytes(256);
    text->set_warmup_bytes(extreme);
    EXPECT_NE(Refusal(job), "");
    job.mutable_batch()->set_window(static_cast<int32_t>(extreme));
    EXPECT_NE(Refusal(job), "");
  }
}

}  // namespace
}  // namespace tenor

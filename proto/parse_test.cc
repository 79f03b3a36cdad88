#include "proto/parse.h"

#include <gtest/gtest.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "proto/job_examples.h"

namespace tenor {
namespace {

std::string Error(absl::string_view text) {
  return std::string(ParseJobSpec(text, "job.textproto").status().message());
}

std::string With(absl::string_view line) { return absl::StrCat(kExampleJob, line, "\n"); }

TEST(ParseJobSpecTest, FillsDefaultsIn) {
  const absl::StatusOr<spec::JobSpec> job = ParseJobSpec(kExampleJob, "job.textproto");
  ASSERT_TRUE(job.ok()) << job.status();
  EXPECT_EQ(job->batch().window(), 256);
}

TEST(ParseJobSpecTest, ErrorsOfTheTextHaveLineAndColumn) {
  EXPECT_EQ(Error(With("seeds: 3")),
            "job.textproto:9:1: Message type \"tenor.spec.JobSpec\" has no field named \"seeds\".");
  EXPECT_EQ(Error(With("chunk_elements: 'x'")), "job.textproto:9:17: Expected integer, got: 'x'");
  EXPECT_EQ(Error(With("seed: 3")),
            "job.textproto:9:1: Non-repeated field \"seed\" is specified multiple times.");
  EXPECT_EQ(Error(With("schedule { constant { peak: 1 } }")).substr(0, 19), "job.textproto:9:1: ");
  EXPECT_EQ(Error(With("compute: FP64")).substr(0, 48),
            "job.textproto:9:10: Unknown enumeration value of");
  EXPECT_EQ(Error("name: \"abc").substr(0, 16), "job.textproto:1:");
}

TEST(ParseJobSpecTest, ContradictionsHaveThePlaceOfTheField) {
  EXPECT_EQ(Error(With("loss_scale {\n  max_skips: 0 }")).substr(0, 47),
            "job.textproto:10:3: loss_scale.max_skips is 0; ");
  EXPECT_EQ(Error(With("chunk_elements: -1")).substr(0, 37),
            "job.textproto:9:1: chunk_elements is ");
}

TEST(ParseJobSpecTest, AMissingFieldIsReportedAtItsParent) {
  const std::string text = With("");
  const size_t at = text.find("hidden: 512");
  EXPECT_EQ(Error(std::string(text).erase(at, 11)).substr(0, 41),
            "job.textproto:2:9: model.mlstm.hidden is ");
  EXPECT_EQ(Error("").substr(0, 28), "job.textproto:1:1: name is \"");
}

TEST(ParseJobSpecTest, ErrorsAreOneLine) {
  for (const absl::string_view text :
       {"\xff\n\xfe", "name: 'a\\nb'", "name: \"\n\"", "{", "a {\n"}) {
    EXPECT_EQ(Error(text).find('\n'), std::string::npos) << Error(text);
    EXPECT_FALSE(Error(text).empty());
  }
}

TEST(PrintTextTest, ReadsBackEqual) {
  const absl::StatusOr<spec::JobSpec> job = ParseJobSpec(kExampleJob, "job.textproto");
  ASSERT_TRUE(job.ok());
  const absl::StatusOr<spec::JobSpec> again = ParseJobSpec(PrintText(*job), "job.textproto");
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(again->SerializeAsString(), job->SerializeAsString());
  EXPECT_EQ(PrintText(*again), PrintText(*job));
}

TEST(PrintLineTest, IsOneLine) {
  spec::MlstmSpec mlstm;
  mlstm.set_hidden(3);
  mlstm.set_embedding(4);
  EXPECT_EQ(PrintLine(mlstm), "hidden: 3 embedding: 4");
}

TEST(ParseLineageClaimTest, ContradictionsInsideRepeatedAndOptionalPartsHavePlaces) {
  const std::string text = "lineage: 2\nbase {\n  lineage: 2\n}\n";
  EXPECT_EQ(ParseLineageClaim(text, "2").status().message(),
            "2:3:3: base.lineage is 2; allowed are 0 to 1");
  EXPECT_TRUE(ParseLineageClaim("lineage: 2", "2").ok());
  EXPECT_FALSE(ParseLineageClaim("lineage: 2 base { }", "2").ok());
}

}  // namespace
}  // namespace tenor

#include "proto/tunable_words.h"

#include <gtest/gtest.h>

#include "proto/validate.h"

namespace tenor {
namespace {

using Words = std::vector<std::string>;

std::string Error(const Words& words) {
  return std::string(ParseTunables(words).status().message());
}

TEST(ParseTunablesTest, SetsOnlyWhatIsNamed) {
  const absl::StatusOr<spec::Tunables> tunables =
      ParseTunables({"accumulation_steps=8", "push_codec=fp32", "pause=true",
                     "learning_rate_scale=0.5", "checkpoint_every=0"});
  ASSERT_TRUE(tunables.ok()) << tunables.status();
  EXPECT_EQ(TunableWords(*tunables),
            (Words{"accumulation_steps=8", "push_codec=fp32", "learning_rate_scale=0.5",
                   "checkpoint_every=0", "pause=true"}));
}

TEST(ParseTunablesTest, RefusesInOneSentence) {
  EXPECT_EQ(Error({"accumulation_step=8"}),
            "there is no tunable \"accumulation_step\"; the nearest name is accumulation_steps");
  EXPECT_EQ(Error({"accumulation_steps=0"}),
            "accumulation_steps is 0; allowed are whole numbers from 1 to 65536");
  EXPECT_EQ(Error({"accumulation_steps=1.5"}),
            "accumulation_steps is 1.5; allowed are whole numbers from 1 to 65536");
  EXPECT_EQ(Error({"learning_rate_scale=nan"}),
            "learning_rate_scale is nan; allowed are numbers from 0 to 100");
  EXPECT_EQ(Error({"push_codec=int8"}), "push_codec is int8; allowed are fp32, fp16");
  EXPECT_EQ(Error({"push_codec=unspecified"}), "push_codec is unspecified; allowed are fp32, fp16");
  EXPECT_EQ(Error({"pause=yes"}), "pause is yes; allowed are true, false");
  EXPECT_EQ(Error({"pause"}), "\"pause\" is no setting; write name=value");
  EXPECT_EQ(Error({"pause=true", "pause=true"}), "pause is given twice; give it once");
  EXPECT_EQ(Error({}), "no setting is given; write name=value");
  EXPECT_EQ(
      Error({"keep_every=99999999999999999999"}),
      "keep_every is 99999999999999999999; allowed are whole numbers from 0 to 1000000000000");
}

TEST(TunableWordsTest, ReadBackEqual) {
  const spec::Tunables defaults = DefaultTunables();
  const absl::StatusOr<spec::Tunables> again = ParseTunables(TunableWords(defaults));
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(again->SerializeAsString(), defaults.SerializeAsString());
}

TEST(MergeTunablesTest, TakesPresentFieldsEvenIfTheyAreZero) {
  spec::Tunables change;
  change.set_checkpoint_every(0);
  const spec::Tunables merged = MergeTunables(DefaultTunables(), change);
  EXPECT_EQ(merged.checkpoint_every(), 0);
  EXPECT_EQ(merged.accumulation_steps(), 1);
}

TEST(DescribeChangeTest, NamesOldAndNewValue) {
  const absl::StatusOr<spec::Tunables> change =
      ParseTunables({"accumulation_steps=8", "push_codec=fp32", "min_workers=1"});
  ASSERT_TRUE(change.ok());
  EXPECT_EQ(DescribeChange(DefaultTunables(), *change),
            (Words{"accumulation_steps: 1 -> 8", "push_codec: fp16 -> fp32"}));
}

TEST(FindViolationTest, AcceptedTunablesHaveEveryField) {
  spec::Tunables tunables = DefaultTunables();
  EXPECT_FALSE(FindViolationOfAccepted(tunables).has_value());
  tunables.clear_pause();
  EXPECT_EQ(FindViolationOfAccepted(tunables)->field, "pause");
}

}  // namespace
}  // namespace tenor

// Commands that work on files alone, from text to bits per character.
#include <string>

#include "cli/commands/command_testing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"

namespace tenor {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr char kSmallJob[] = R"(name: "small"
model { mlstm { hidden: 8 embedding: 4 } }
data { text { path: "data" } }
batch { micro_batch: 2 window: 8 }
optimizer { adam { } }
schedule { linear { peak: 3e-3 } }
stop { updates: 10 }
)";

class OfflineCommandsTest : public testing::Test {
 protected:
  OfflineCommandsTest() {
    std::string text;
    for (int i = 0; i < 200; ++i) {
      text += "fortune number " + std::to_string(i) + " is a good one\n%\n";
    }
    runner_.WriteFile("/fortunes", text);
    runner_.WriteFile("/job", kSmallJob);
  }

  int MakeData() {
    return runner_.RunLine(
        "data text /fortunes --out /data --separator line:% --heldout_fraction 0.2");
  }

  CommandRunner runner_;
};

TEST_F(OfflineCommandsTest, DataTextPrintsWhatAJobSpecTakes) {
  EXPECT_EQ(MakeData(), 0) << runner_.err();
  EXPECT_THAT(runner_.out(), StartsWith("made /data: "));
  EXPECT_THAT(runner_.out(), HasSubstr("  data { text { digest: \"crc32c:"));
  EXPECT_EQ(MakeData(), 0);
  EXPECT_THAT(runner_.out(), StartsWith("already there: /data: "));
}

TEST_F(OfflineCommandsTest, EvalOfTheUntrainedModelIsAboutEightBits) {
  ASSERT_EQ(MakeData(), 0) << runner_.err();
  ASSERT_EQ(runner_.RunLine("eval --job /job --initial --json"), 0) << runner_.err();
  const nlohmann::json json = nlohmann::json::parse(runner_.out());
  EXPECT_NEAR(json["bits_per_character"].get<double>(), 8, 0.3);
  EXPECT_GT(json["bytes"].get<int>(), 100);
  ASSERT_EQ(runner_.RunLine("eval --job /job --initial --data_dir /data"), 0);
  EXPECT_THAT(runner_.out(), StartsWith("the untrained model of /job, step 0: "));
  EXPECT_THAT(runner_.out(), HasSubstr(" bits per character over "));
}

TEST_F(OfflineCommandsTest, JobCheckPrintsAJobAgain) {
  ASSERT_EQ(runner_.RunLine("job check /job --servers 2 --workers 3"), 0) << runner_.err();
  const std::string first = runner_.out();
  EXPECT_THAT(first, HasSubstr("beta1: 0.9"));
  EXPECT_THAT(first, HasSubstr("from 3 workers over 2 servers"));
  runner_.WriteFile("/again", first);
  ASSERT_EQ(runner_.RunLine("job check /again --servers 2 --workers 3"), 0) << runner_.err();
  EXPECT_EQ(runner_.out(), first);
}

TEST_F(OfflineCommandsTest, CheckpointListOfAFolderWithout) {
  runner_.files().CreateDirectory("/run").IgnoreError();
  EXPECT_EQ(runner_.RunLine("checkpoint list --run /run"), 0) << runner_.err();
  EXPECT_EQ(runner_.out(), "no checkpoints in /run\n");
}

TEST_F(OfflineCommandsTest, LocalNeedsItsPrograms) {
  ASSERT_EQ(MakeData(), 0);
  EXPECT_EQ(runner_.RunLine("local /job"), 1);
  EXPECT_EQ(runner_.err(),
            "tenor local: program /bin/../server/tenor-server is not there; say where it is with "
            "--bin_dir\n");
}

}  // namespace
}  // namespace tenor

#include "cli/progress_line.h"

#include <sstream>

#include "gtest/gtest.h"

namespace tenor {
namespace {

TEST(ProgressLineTest, PlainOutputIsOneLineEveryTenSecondsWithoutControls) {
  std::ostringstream out;
  ProgressLine line(out, /*is_terminal=*/false, 80);
  line.Show(absl::ZeroDuration(), "step 1");
  line.Show(absl::Seconds(5), "step 2");
  line.Show(absl::Seconds(10), "step 3");
  line.Show(absl::Seconds(19), "step 4");
  line.Show(absl::Seconds(20), "step 5");
  line.Clear();
  EXPECT_EQ(out.str(), "step 3\nstep 5\n");
}

TEST(ProgressLineTest, TerminalLineIsWrittenOver) {
  std::ostringstream out;
  ProgressLine line(out, /*is_terminal=*/true, 80);
  line.Show(absl::ZeroDuration(), "one");
  line.Show(absl::Milliseconds(100), "too early");
  line.Show(absl::Milliseconds(200), "two");
  line.Clear();
  line.Clear();
  EXPECT_EQ(out.str(), "\r\x1b[Kone\r\x1b[Ktwo\r\x1b[K");
}

TEST(ProgressLineTest, TerminalLineIsCutToTheScreen) {
  std::ostringstream out;
  ProgressLine line(out, /*is_terminal=*/true, 24);
  line.Show(absl::ZeroDuration(), "0123456789012345678901234567890");
  EXPECT_EQ(out.str(), "\r\x1b[K01234567890123456789012");
}

}  // namespace
}  // namespace tenor

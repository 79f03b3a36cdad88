#include "base/log.h"

#include <string>
#include <thread>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "base/clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tenor {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr char kTime[] = "2026-11-30T19:44:01.123Z";

absl::Time TestTime() { return absl::FromUnixMillis(1796067841123); }

LogEntry Entry(absl::string_view message, LogSeverity severity = LogSeverity::kWarning) {
  return LogEntry{severity, "server/net/join.cc", 12, std::string(message)};
}

class LogSinkTest : public testing::Test {
 protected:
  LogSink::Writer Collect() {
    return [this](absl::string_view line) { lines_.emplace_back(line); };
  }

  FakeClock clock_{TestTime()};
  std::vector<std::string> lines_;
};

TEST(LogFormatTest, TextLine) {
  EXPECT_EQ(FormatLogLine({.process = "server0"}, TestTime(), Entry("worker node3-0: no")),
            std::string(kTime) + " W server0 net/join.cc: worker node3-0: no");
}

TEST(LogFormatTest, TextStaysOneLine) {
  const std::string line =
      FormatLogLine({.process = "server0"}, TestTime(), Entry("a\nb\x1b[31mred\r\n"));
  EXPECT_THAT(line, testing::EndsWith(": a | b?[31mred"));
}

TEST(LogFormatTest, FileKeepsItsLastTwoParts) {
  LogEntry entry = Entry("x");
  entry.file = "join.cc";
  EXPECT_THAT(FormatLogLine({}, TestTime(), entry), HasSubstr(" join.cc: x"));
  entry.file = "net/join.cc";
  EXPECT_THAT(FormatLogLine({}, TestTime(), entry), HasSubstr(" net/join.cc: x"));
}

TEST(LogFormatTest, JsonLine) {
  EXPECT_EQ(FormatLogLine({.process = "worker1", .format = LogFormat::kJson}, TestTime(),
                          Entry("say \"\\\"\n\xc3\xa9", LogSeverity::kError)),
            std::string("{\"time\":\"") + kTime +
                "\",\"severity\":\"E\",\"process\":\"worker1\",\"file\":\"net/join.cc\","
                "\"line\":12,\"message\":\"say \\\"\\\\\\\"\\u000a\xc3\xa9\"}");
}

TEST(LogFormatTest, JsonReplacesWhatIsNotUtf8) {
  const LogOptions options{.format = LogFormat::kJson};
  // A lone continuation, a cut sequence, an overlong one, a surrogate, one past the last.
  for (const char* bad : {"\x80", "\xe2\x82", "\xc0\xaf", "\xe0\x80\x80", "\xed\xa0\x80",
                          "\xf0\x80\x80\x80", "\xf4\x90\x80\x80", "\xff"}) {
    const std::string line = FormatLogLine(options, TestTime(), Entry(bad));
    EXPECT_THAT(line, HasSubstr("\"message\":\"\\ufffd"));
    for (const char c : line) EXPECT_GE(c, ' ');
  }
  for (const char* good : {"\xc2\x80", "\xe2\x82\xac", "\xee\x80\x80", "\xf0\x9f\x98\x80"}) {
    EXPECT_THAT(FormatLogLine(options, TestTime(), Entry(good)), HasSubstr(good));
  }
}

TEST(LogFormatTest, ParsesWhatTheFlagsTake) {
  EXPECT_EQ(ParseLogSeverity("info"), LogSeverity::kInfo);
  EXPECT_EQ(ParseLogSeverity("warning"), LogSeverity::kWarning);
  EXPECT_EQ(ParseLogSeverity("error"), LogSeverity::kError);
  EXPECT_EQ(ParseLogSeverity("debug"), std::nullopt);
  EXPECT_EQ(ParseLogFormat("text"), LogFormat::kText);
  EXPECT_EQ(ParseLogFormat("json"), LogFormat::kJson);
  EXPECT_EQ(ParseLogFormat(""), std::nullopt);
}

TEST_F(LogSinkTest, DropsWhatIsBelowTheLevel) {
  LogSink sink({.level = LogSeverity::kWarning}, clock_, Collect());
  sink.Send(Entry("a", LogSeverity::kInfo));
  EXPECT_THAT(lines_, IsEmpty());
  sink.Send(Entry("b", LogSeverity::kWarning));
  sink.Send(Entry("c", LogSeverity::kError));
  EXPECT_THAT(lines_, ElementsAre(HasSubstr(": b\n"), HasSubstr(": c\n")));
}

TEST_F(LogSinkTest, CountsRepeatsUntilAnotherLineComes) {
  LogSink sink({}, clock_, Collect());
  for (int i = 0; i < 4; ++i) sink.Send(Entry("a"));
  EXPECT_THAT(lines_, ElementsAre(HasSubstr(": a\n")));
  sink.Send(Entry("b"));
  EXPECT_THAT(lines_, ElementsAre(HasSubstr(": a\n"), HasSubstr(": a (repeated 3 times)\n"),
                                  HasSubstr(": b\n")));
}

TEST_F(LogSinkTest, OtherSeverityOrFileIsAnotherLine) {
  LogSink sink({}, clock_, Collect());
  sink.Send(Entry("a"));
  sink.Send(Entry("a", LogSeverity::kError));
  LogEntry elsewhere = Entry("a", LogSeverity::kError);
  elsewhere.file = "server/net/leave.cc";
  sink.Send(elsewhere);
  EXPECT_THAT(lines_, SizeIs(3));
}

TEST_F(LogSinkTest, AnEndlessRepeatIsReportedNowAndThen) {
  LogSink sink({}, clock_, Collect());
  sink.Send(Entry("a"));
  sink.Send(Entry("a"));
  clock_.Advance(LogSink::kRepeatReport);
  sink.Send(Entry("a"));
  EXPECT_THAT(lines_, ElementsAre(HasSubstr(": a\n"), HasSubstr(": a (repeated 2 times)\n")));
  sink.Send(Entry("a"));
  EXPECT_THAT(lines_, SizeIs(2));
  sink.Flush();
  EXPECT_THAT(lines_.back(), HasSubstr(": a (repeated 1 time)\n"));
}

TEST_F(LogSinkTest, TheEndReportsRepeats) {
  {
    LogSink sink({}, clock_, Collect());
    sink.Send(Entry("a"));
    sink.Send(Entry("a"));
  }
  EXPECT_THAT(lines_, ElementsAre(HasSubstr(": a\n"), HasSubstr(": a (repeated 1 time)\n")));
}

TEST_F(LogSinkTest, MacroSendsToTheSinkThatIsSet) {
  LogSink sink({.process = "server0"}, clock_, Collect());
  SetLogSink(&sink);
  LOG(INFO) << "step " << 3;
  LOG(WARNING) << "slow";
  LOG(ERROR) << "gone";
  SetLogSink(nullptr);
  EXPECT_THAT(lines_, ElementsAre(std::string(kTime) + " I server0 base/log_test.cc: step 3\n",
                                  HasSubstr(" W server0 base/log_test.cc: slow\n"),
                                  HasSubstr(" E server0 base/log_test.cc: gone\n")));
}

TEST(LogTest, WithoutASinkLinesGoToStderr) {
  testing::internal::CaptureStderr();
  LOG(WARNING) << "early";
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "W base/log_test.cc: early\n");
}

TEST_F(LogSinkTest, ThreadsDoNotMixLines) {
  LogSink sink({}, clock_, Collect());
  SetLogSink(&sink);
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([t] {
        for (int i = 0; i < 50; ++i) LOG(INFO) << "thread " << t << " line " << i;
      });
    }
  }
  SetLogSink(nullptr);
  EXPECT_THAT(lines_, SizeIs(200));
  EXPECT_THAT(lines_, testing::Each(testing::MatchesRegex(".* thread [0-3] line [0-9]+\n")));
}

}  // namespace
}  // namespace tenor

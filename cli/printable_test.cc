#include "cli/printable.h"

#include "gtest/gtest.h"

namespace tenor {
namespace {

TEST(PrintableTest, KeepsTextAndEscapesControls) {
  EXPECT_EQ(Printable("plain text"), "plain text");
  EXPECT_EQ(Printable("gr\xc3\xbc\xc3\x9f"), "gr\xc3\xbc\xc3\x9f");
  EXPECT_EQ(Printable("a\x1b[31mb"), "a\\x1b[31mb");
  EXPECT_EQ(Printable("\r\n\t\x7f"), "\\x0d\\x0a\\x09\\x7f");
}

TEST(PrintableTest, EscapesC1AndBadUtf8) {
  EXPECT_EQ(Printable("\xc2\x9b"), "\\xc2\\x9b");  // CSI in one character
  EXPECT_EQ(Printable("\xc2\xa0"), "\xc2\xa0");
  EXPECT_EQ(Printable("x\xff\xc3"), "x\\xff\\xc3");
}

TEST(PrintableTest, KeepsLinesWhenAsked) {
  EXPECT_EQ(Printable("a\n\tb\r", /*keep_lines=*/true), "a\n\tb\\x0d");
}

TEST(PrintableTest, Bytes) {
  EXPECT_EQ(BytesText(0), "0 B");
  EXPECT_EQ(BytesText(1023), "1023 B");
  EXPECT_EQ(BytesText(1536), "1.5 KiB");
  EXPECT_EQ(BytesText(2.0 * (1 << 30)), "2.0 GiB");
  EXPECT_EQ(BytesText(5e15), "4547.5 TiB");
}

TEST(PrintableTest, Seconds) {
  EXPECT_EQ(SecondsText(0.25), "250 ms");
  EXPECT_EQ(SecondsText(12.34), "12.3 s");
  EXPECT_EQ(SecondsText(250), "4m10s");
  EXPECT_EQ(SecondsText(7500), "2h05m");
  EXPECT_EQ(SecondsText(-1), "?");
}

TEST(PrintableTest, Counts) {
  EXPECT_EQ(CountText(12345), "12345");
  EXPECT_EQ(CountText(123456), "123.5k");
  EXPECT_EQ(CountText(5.67e6), "5.67M");
  EXPECT_EQ(CountText(5.67e9), "5.67G");
}

}  // namespace
}  // namespace tenor

#include "base/utf8.h"

#include "gtest/gtest.h"

namespace tenor {
namespace {

TEST(Utf8Test, LengthOfWellFormedSequences) {
  EXPECT_EQ(Utf8SequenceLength("a\xff"), 1u);
  EXPECT_EQ(Utf8SequenceLength("\xc2\x80"), 2u);
  EXPECT_EQ(Utf8SequenceLength("\xdf\xbf"), 2u);
  EXPECT_EQ(Utf8SequenceLength("\xe0\xa0\x80"), 3u);
  EXPECT_EQ(Utf8SequenceLength("\xed\x9f\xbf"), 3u);
  EXPECT_EQ(Utf8SequenceLength("\xee\x80\x80"), 3u);
  EXPECT_EQ(Utf8SequenceLength("\xf0\x90\x80\x80"), 4u);
  EXPECT_EQ(Utf8SequenceLength("\xf4\x8f\xbf\xbf"), 4u);
}

TEST(Utf8Test, NothingElseHasALength) {
  // Nothing, a lone continuation, cut ones, overlong ones, a surrogate, past the last, no lead.
  for (const char* bad :
       {"", "\x80", "\xc2", "\xe2\x82", "\xe2\x82x", "\xc0\xaf", "\xc1\xbf", "\xe0\x9f\xbf",
        "\xf0\x8f\xbf\xbf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff"}) {
    EXPECT_EQ(Utf8SequenceLength(bad), 0u) << bad;
  }
}

TEST(Utf8Test, ReplacesEachBadByte) {
  EXPECT_EQ(ReplaceBadUtf8(""), "");
  EXPECT_EQ(ReplaceBadUtf8("caf\xc3\xa9"), "caf\xc3\xa9");
  EXPECT_EQ(ReplaceBadUtf8("a\xe2\x82z"), "a\xef\xbf\xbd\xef\xbf\xbdz");
}

}  // namespace
}  // namespace tenor

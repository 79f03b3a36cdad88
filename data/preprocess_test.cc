#include "data/preprocess.h"

#include <gtest/gtest.h>

#include "absl/strings/escaping.h"
#include "data/golden_cases.h"
#include "data/html_unescape.h"

namespace tenor {
namespace {

TEST(HtmlUnescapeTest, EqualsPythonInEveryNamedEntityAndEdgeCase) {
  const auto cases = ReadGoldenCases("data/testdata/html_unescape.golden");
  EXPECT_GT(cases.size(), 3u * 2231u);
  for (const auto& [input, output] : cases) {
    EXPECT_EQ(absl::CHexEscape(HtmlUnescape(input)), absl::CHexEscape(output))
        << absl::CHexEscape(input);
  }
}

TEST(PreprocessOaiTest, EqualsPythonInWhitespaceAndInvalidBytes) {
  const auto cases = ReadGoldenCases("data/testdata/oai.golden");
  EXPECT_GT(cases.size(), 2000u);
  for (const auto& [input, output] : cases) {
    EXPECT_EQ(absl::CHexEscape(PreprocessOai(input)), absl::CHexEscape(output))
        << absl::CHexEscape(input);
  }
}

TEST(PreprocessOaiTest, Examples) {
  EXPECT_EQ(PreprocessOai("  It&#39;s\ngood &amp; cheap \n"), "\n It's good & cheap ");
  EXPECT_EQ(PreprocessOai(" \n&nbsp;"), "");
  EXPECT_EQ(PreprocessOai("a\xff"), "\n a\xef\xbf\xbd ");
}

}  // namespace
}  // namespace tenor

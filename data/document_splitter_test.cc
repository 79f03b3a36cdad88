#include "data/document_splitter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/status_testing.h"
#include "data/json_text.h"

namespace tenor {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr size_t kLimit = 1000;

struct Split {
  std::vector<std::string> texts;
  std::vector<int64_t> lines;
  absl::Status status;
};

// Feeds `input` in pieces of `piece` bytes.
Split SplitText(absl::string_view separator, absl::string_view input, size_t piece,
                size_t limit = kLimit) {
  const auto splitter = MakeDocumentSplitter(*ParseSeparator(separator), limit);
  std::vector<RawDocument> documents;
  absl::Status status;
  for (size_t at = 0; at < input.size() && status.ok(); at += piece) {
    status = splitter->Feed(input.substr(at, piece), &documents);
  }
  if (status.ok()) status = splitter->Finish(&documents);
  Split split{.status = status};
  for (const RawDocument& document : documents) {
    split.texts.push_back(document.text);
    split.lines.push_back(document.line);
  }
  return split;
}

// The same for every size of pieces.
std::vector<std::string> Texts(absl::string_view separator, absl::string_view input) {
  const Split whole = SplitText(separator, input, input.size() + 1);
  EXPECT_OK(whole.status);
  for (size_t piece = 1; piece <= input.size(); ++piece) {
    const Split pieces = SplitText(separator, input, piece);
    EXPECT_EQ(pieces.texts, whole.texts) << piece;
    EXPECT_EQ(pieces.lines, whole.lines) << piece;
  }
  return whole.texts;
}

std::string Error(absl::string_view separator, absl::string_view input) {
  return std::string(SplitText(separator, input, 3).status.message());
}

TEST(SeparatorTest, NamesReadBack) {
  for (const char* name : {"blank", "line", "line:%", "line:line:x", "csv:a b", "jsonl:text"}) {
    ASSERT_OK_AND_ASSIGN(const Separator separator, ParseSeparator(name));
    EXPECT_EQ(SeparatorName(separator), name);
  }
  for (const char* name : {"", "csv:", "line:", "csv", "tab"}) {
    EXPECT_THAT(ParseSeparator(name), StatusIs(absl::StatusCode::kInvalidArgument));
  }
}

TEST(LineSplitterTest, BlankLines) {
  EXPECT_THAT(Texts("blank", "\n \na\nb\n\n\t\r\nc"), ElementsAre("a\nb\n", "c\n"));
  EXPECT_THAT(Texts("blank", "a\r\nb\r\n\r\nc\r\n"), ElementsAre("a\nb\n", "c\n"));
  EXPECT_THAT(Texts("blank", ""), IsEmpty());
  EXPECT_THAT(SplitText("blank", "\n\na\n\nb", 100).lines, ElementsAre(3, 5));
}

TEST(LineSplitterTest, ASeparatorLine) {
  EXPECT_THAT(Texts("line:%", "a\n\nb\n%\n%\n%%\n%\n"), ElementsAre("a\n\nb\n", "", "%%\n"));
  EXPECT_THAT(Texts("line:%", "a\n%\nb"), ElementsAre("a\n", "b\n"));
  EXPECT_THAT(Texts("line:%", "a\r\n%\r\nb"), ElementsAre("a\n", "b\n"));
}

TEST(LineSplitterTest, OneALine) {
  EXPECT_THAT(Texts("line", "a\n\nb\r\nc"), ElementsAre("a", "", "b", "c"));
  EXPECT_THAT(Texts("jsonl:x", "{}\n{}"), ElementsAre("{}", "{}"));
}

TEST(LineSplitterTest, ALongDocumentIsRefused) {
  const std::string line(900, 'x');
  EXPECT_THAT(Error("blank", line + "\n" + line), HasSubstr("1: a document is longer than 1000"));
  EXPECT_OK(SplitText("line", line + "\n" + line, 7).status);
}

TEST(DocumentSplitterTest, AByteOrderMarkIsLeftOut) {
  EXPECT_THAT(Texts("line",
                    "\xef\xbb\xbf"
                    "a\n\xef\xbb\xbf"
                    "b"),
              ElementsAre("a",
                          "\xef\xbb\xbf"
                          "b"));
  EXPECT_THAT(Texts("line", "\xef\xbb"), ElementsAre("\xef\xbb"));
  EXPECT_THAT(Texts("csv:a",
                    "\xef\xbb\xbf"
                    "a\n1"),
              ElementsAre("1"));
}

TEST(CsvSplitterTest, PicksTheNamedColumn) {
  EXPECT_THAT(Texts("csv:text", "id,text,n\n1,one,\n2,\"two, \"\"2\"\"\n\",3\r\n\n3,,\n4,it\"s,"),
              ElementsAre("one", "two, \"2\"\n", "", "it\"s"));
  EXPECT_THAT(Texts("csv:b", "a,b\r\n\"x\",\"y\"\r\n"), ElementsAre("y"));
  EXPECT_THAT(Texts("csv:a", "a\n\"\"\n"), ElementsAre(""));
  EXPECT_THAT(Texts("csv:a", "a\nx\ry\n"), ElementsAre("x\ry"));
  EXPECT_THAT(Texts("csv:a", "a"), IsEmpty());
  EXPECT_THAT(SplitText("csv:a", "a\n\"1\n2\"\n\n3\n", 100).lines, ElementsAre(2, 5));
}

TEST(CsvSplitterTest, RefusesInOneLine) {
  EXPECT_EQ(Error("csv:c", "a,b\n1,2\n"), "1: there is no column \"c\"; the columns are a, b");
  EXPECT_EQ(Error("csv:b", "a,b\n1,2\n1\n"),
            "3: the record has 1 fields, column \"b\" is number 2");
  EXPECT_THAT(Error("csv:a", "a\n\"x\"y\n"), HasSubstr("2: there is text behind a closing quote"));
  EXPECT_THAT(Error("csv:a", "a\n\n\"x\ny"), HasSubstr("3: a quoted field has no closing quote"));
  EXPECT_THAT(Error("csv:a", ""), HasSubstr("there is no record"));
  EXPECT_THAT(Error("csv:a", "a\n" + std::string(1001, 'x')), HasSubstr("2: a field is longer"));
}

TEST(JsonTextTest, TakesTheMembersText) {
  EXPECT_THAT(JsonText(R"({"text": "a\n\u00e9", "n": [1]})", "text"), IsOkAndHolds("a\n\xc3\xa9"));
  EXPECT_THAT(JsonText(R"({"text": null})", "text"), IsOkAndHolds(""));
  EXPECT_THAT(JsonText("{\"text\": \"\\\"" + std::string(70, '[') + "\"}", "text"),
              IsOkAndHolds("\"" + std::string(70, '[')));
  EXPECT_THAT(JsonText(" \t", "text"), IsOkAndHolds(""));
  EXPECT_THAT(JsonText("{\"text\": \"\xff\"}", "text"), IsOkAndHolds("\xef\xbf\xbd"));
}

TEST(JsonTextTest, RefusesWithAReason) {
  EXPECT_THAT(JsonText("[1]", "text"), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(JsonText("{", "text"), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(JsonText("{}", "text"),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("no member \"text\"")));
  EXPECT_THAT(JsonText(R"({"text": 3})", "text"),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("number")));
  EXPECT_THAT(JsonText(std::string(100000, '['), "text"),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("64 brackets")));
}

}  // namespace
}  // namespace tenor

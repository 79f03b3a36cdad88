#include "model/checkpoint/safetensors_header.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tenor {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string Entry(absl::string_view name, absl::string_view dtype, absl::string_view shape,
                  absl::string_view offsets) {
  return absl::StrCat("\"", name, "\":{\"dtype\":\"", dtype, "\",\"shape\":[", shape,
                      "],\"data_offsets\":[", offsets, "]}");
}

void ExpectRefused(const std::string& text, uint64_t data_bytes, const std::string& reason) {
  const absl::StatusOr<SafetensorsHeader> header = ParseSafetensorsHeader(text, data_bytes);
  EXPECT_EQ(header.status().code(), absl::StatusCode::kInvalidArgument) << text;
  EXPECT_THAT(std::string(header.status().message()), HasSubstr(reason)) << text;
  EXPECT_EQ(header.status().message().find('\n'), absl::string_view::npos);
}

TEST(ParseSafetensorsHeaderTest, ListsTensorsByPosition) {
  const std::string text = absl::StrCat("{", Entry("b", "F32", "2,3", "2,26"), ",",
                                        "\"__metadata__\":{\"format\":\"pt\",\"x\":\"\"},",
                                        Entry("a", "F16", "", "0,2"), "}   ");
  const SafetensorsHeader header = ParseSafetensorsHeader(text, 26).value();
  ASSERT_EQ(header.tensors.size(), 2u);
  EXPECT_EQ(header.tensors[0].name, "a");
  EXPECT_EQ(header.tensors[0].dtype, "F16");
  EXPECT_TRUE(header.tensors[0].shape.empty());
  EXPECT_EQ(header.tensors[1].name, "b");
  EXPECT_EQ(header.tensors[1].shape, (std::vector<uint64_t>{2, 3}));
  EXPECT_EQ(header.tensors[1].begin, 2u);
  EXPECT_EQ(header.tensors[1].end, 26u);
  EXPECT_EQ(header.metadata.size(), 2u);
  EXPECT_EQ(header.metadata.at("format"), "pt");
}

TEST(ParseSafetensorsHeaderTest, EmptyFilesAndEmptyTensorsAreFiles) {
  EXPECT_TRUE(ParseSafetensorsHeader("{}", 0).value().tensors.empty());
  const std::string text =
      absl::StrCat("{", Entry("a", "F32", "0,7", "0,0"), ",", Entry("b", "F32", "1", "0,4"), "}");
  EXPECT_EQ(ParseSafetensorsHeader(text, 4).value().tensors.size(), 2u);
}

TEST(ParseSafetensorsHeaderTest, TextThatIsNoJsonIsRefused) {
  ExpectRefused("", 0, "does not start with {");
  ExpectRefused(" {}", 0, "does not start with {");
  ExpectRefused("\xef\xbb\xbf{}", 0, "does not start with {");
  ExpectRefused("{", 0, "not JSON at byte");
  ExpectRefused("{}}", 0, "not JSON at byte");
  ExpectRefused("{} x", 0, "not JSON at byte");
  ExpectRefused("{\"a\"}", 0, "not JSON at byte");
  ExpectRefused("{\"\xff\":1}", 0, "not JSON at byte");
  ExpectRefused(std::string("{}\0", 3), 0, "not JSON at byte");
  ExpectRefused(absl::StrCat("{", Entry("a", "F32", "1", "0,1e999"), "}"), 4, "not JSON at byte");
}

TEST(ParseSafetensorsHeaderTest, JsonOfAnotherFormIsRefused) {
  ExpectRefused("[]", 0, "does not start with {");
  ExpectRefused("{\"a\":1}", 0, "a number does not belong");
  ExpectRefused("{\"a\":[]}", 0, "a list does not belong");
  ExpectRefused("{\"a\":null}", 0, "null does not belong");
  ExpectRefused("{\"a\":true}", 0, "a boolean does not belong");
  ExpectRefused("{\"a\":\"b\"}", 0, "a text does not belong");
  ExpectRefused("{\"a\":{}}", 0, "lacks one of dtype, shape and data_offsets");
  ExpectRefused("{\"a\":{\"dtype\":\"F32\",\"shape\":[1]}}", 4, "lacks one of");
  ExpectRefused("{\"a\":{\"dtype\":{}}}", 0, "an object does not belong");
  ExpectRefused("{\"a\":{\"dtype\":[]}}", 0, "a list does not belong");
  ExpectRefused("{\"a\":{\"shape\":\"1\"}}", 0, "a text does not belong");
  ExpectRefused("{\"a\":{\"shape\":[[1]]}}", 0, "a list does not belong");
  ExpectRefused("{\"a\":{\"more\":1}}", 0, "a field does not belong");
  ExpectRefused("{\"__metadata__\":{\"a\":1}}", 0, "a number does not belong");
  ExpectRefused("{\"__metadata__\":{\"a\":{}}}", 0, "an object does not belong");
  ExpectRefused("{\"__metadata__\":\"a\"}", 0, "a text does not belong");
}

TEST(ParseSafetensorsHeaderTest, KeysThatComeTwiceAreRefused) {
  const std::string a = Entry("a", "F32", "", "0,4");
  ExpectRefused(absl::StrCat("{", a, ",", a, "}"), 4, "\"a\" comes twice");
  ExpectRefused("{\"a\":{\"dtype\":\"F32\",\"dtype\":\"F32\"}}", 0, "\"dtype\" comes twice");
  ExpectRefused("{\"__metadata__\":{\"a\":\"\",\"a\":\"\"}}", 0, "\"a\" comes twice");
  ExpectRefused("{\"__metadata__\":{},\"__metadata__\":{}}", 0, "\"__metadata__\" comes twice");
}

TEST(ParseSafetensorsHeaderTest, NumbersOfAnotherFormAreRefused) {
  ExpectRefused(absl::StrCat("{", Entry("a", "F32", "-1", "0,4"), "}"), 4, "a negative number");
  ExpectRefused(absl::StrCat("{", Entry("a", "F32", "1.0", "0,4"), "}"), 4, "a fraction");
  ExpectRefused(absl::StrCat("{", Entry("a", "F32", "18446744073709551616", "0,4"), "}"), 4,
                "a fraction");
  ExpectRefused(absl::StrCat("{", Entry("a", "F32", "1", "0"), "}"), 4, "too few data_offsets");
  ExpectRefused(absl::StrCat("{", Entry("a", "F32", "1", "0,4,4"), "}"), 4, "a third number");
  ExpectRefused(
      absl::StrCat("{", Entry("a", "F32", "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1", "0,4"), "}"), 4,
      "so many dimensions");
}

TEST(ParseSafetensorsHeaderTest, SizesThatDoNotFitAreRefused) {
  ExpectRefused(absl::StrCat("{", Entry("a", "F31", "1", "0,4"), "}"), 4, "dtype \"F31\"");
  ExpectRefused(absl::StrCat("{", Entry("a", "F32", "2", "0,4"), "}"), 4,
                "has 4 bytes, but its shape and dtype take 8");
  ExpectRefused(absl::StrCat("{", Entry("a", "F32", "4294967296,4294967296", "0,0"), "}"), 0,
                "more than 2^64 bytes");
  ExpectRefused(absl::StrCat("{", Entry("a", "F32", "4611686018427387904", "0,0"), "}"), 0,
                "more than 2^64 bytes");
}

TEST(ParseSafetensorsHeaderTest, OffsetsThatDoNotCoverTheDataAreRefused) {
  ExpectRefused(absl::StrCat("{", Entry("a", "F32", "1", "0,4"), "}"), 3, "but the file has 3");
  ExpectRefused(absl::StrCat("{", Entry("a", "F32", "1", "4,0"), "}"), 4, "lies at bytes 4..0");
  ExpectRefused(absl::StrCat("{", Entry("a", "U8", "1", "18446744073709551615,0"), "}"), 9,
                "lies at bytes 18446744073709551615..0");
  ExpectRefused(absl::StrCat("{", Entry("a", "F32", "1", "0,4"), "}"), 8, "the tensors end at 4");
  ExpectRefused(
      absl::StrCat("{", Entry("a", "F32", "1", "0,4"), ",", Entry("b", "F32", "1", "2,6"), "}"), 6,
      "overlaps");
  ExpectRefused(
      absl::StrCat("{", Entry("a", "F32", "1", "0,4"), ",", Entry("b", "F32", "1", "0,4"), "}"), 4,
      "overlaps");
  ExpectRefused(
      absl::StrCat("{", Entry("a", "F32", "1", "0,4"), ",", Entry("b", "F32", "1", "8,12"), "}"),
      12, "behind a hole from 4");
}

// Half a million brackets: a parser that recursed or built what it reads would fall over.
TEST(ParseSafetensorsHeaderTest, DeepNestingStopsAtOnce) {
  ExpectRefused(absl::StrCat("{\"a\":", std::string(500000, '['), "}"), 0,
                "a list does not belong");
  ExpectRefused(absl::StrCat("{\"a\":{\"shape\":", std::string(500000, '['), "}"), 0,
                "a list does not belong");
}

TEST(ParseSafetensorsHeaderTest, LongAndBinaryNamesDoNotSpoilTheError) {
  const std::string name = absl::StrCat("a\\n", std::string(100000, 'x'));
  const auto header =
      ParseSafetensorsHeader(absl::StrCat("{", Entry(name, "F32", "1", "0,4"), "}"), 0);
  EXPECT_THAT(std::string(header.status().message()), StartsWith("tensor \"a?xxx"));
  EXPECT_LT(header.status().message().size(), 300u);
}

TEST(PlaceTensorsTest, PutsOneBehindTheOther) {
  std::vector<TensorEntry> tensors = {{.name = "a", .dtype = "F32", .shape = {2, 3}},
                                      {.name = "b", .dtype = "F32", .shape = {}},
                                      {.name = "c", .dtype = "U8", .shape = {0}},
                                      {.name = "d", .dtype = "BF16", .shape = {5}}};
  ASSERT_TRUE(PlaceTensors(&tensors).ok());
  EXPECT_EQ(tensors[0].end, 24u);
  EXPECT_EQ(tensors[1].begin, 24u);
  EXPECT_EQ(tensors[2].end, 28u);
  EXPECT_EQ(tensors[3].begin, 28u);
  EXPECT_EQ(tensors[3].end, 38u);
}

TEST(PlaceTensorsTest, RefusesWhatCannotBeWritten) {
  const auto refused = [](std::vector<TensorEntry> tensors, const std::string& reason) {
    const absl::Status status = PlaceTensors(&tensors);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(status.message()), HasSubstr(reason));
  };
  const TensorEntry a = {.name = "a", .dtype = "F32", .shape = {1}};
  refused({a, a}, "comes twice");
  refused({{.name = "", .dtype = "F32"}}, "cannot be named");
  refused({{.name = "__metadata__", .dtype = "F32"}}, "cannot be named");
  refused({{.name = "a", .dtype = "f32"}}, "which is unknown");
  refused({{.name = "a", .dtype = "F32", .shape = std::vector<uint64_t>(17, 1)}}, "17 dimensions");
  const TensorEntry half = {.name = "b", .dtype = "U8", .shape = {uint64_t{1} << 63}};
  refused({a, half}, "beyond 2^63 bytes");
}

TEST(SerializeSafetensorsHeaderTest, HasTheFormOfTheSpecificationAndEndsAtAMultipleOfEight) {
  SafetensorsHeader header;
  header.tensors = {{.name = "ww", .dtype = "F32", .shape = {1, 2}}};
  ASSERT_TRUE(PlaceTensors(&header.tensors).ok());
  const std::string text = SerializeSafetensorsHeader(header).value();
  EXPECT_EQ(text, std::string("\x40\0\0\0\0\0\0\0", 8) +
                      "{\"ww\":{\"dtype\":\"F32\",\"shape\":[1,2],\"data_offsets\":[0,8]}}       ");
}

TEST(SerializeSafetensorsHeaderTest, ComesBackWithItsMetadataAndOddNames) {
  SafetensorsHeader header;
  header.metadata = {{"format", "tenor 1.0"}, {"quote", "\"\\\n"}, {"", "\xc3\xa9"}};
  header.tensors = {{.name = "a\"b", .dtype = "F32", .shape = {3}},
                    {.name = "\xc3\xa9", .dtype = "F32", .shape = {}}};
  ASSERT_TRUE(PlaceTensors(&header.tensors).ok());
  const std::string text = SerializeSafetensorsHeader(header).value();
  EXPECT_EQ(text.size() % 8, 0u);
  const SafetensorsHeader again = ParseSafetensorsHeader(text.substr(8), 16).value();
  EXPECT_EQ(again.metadata, header.metadata);
  ASSERT_EQ(again.tensors.size(), 2u);
  EXPECT_EQ(again.tensors[0].name, "a\"b");
  EXPECT_EQ(again.tensors[1].name, "\xc3\xa9");
}

TEST(SerializeSafetensorsHeaderTest, TextThatIsNotUtf8IsRefused) {
  SafetensorsHeader header;
  header.metadata = {{"a", "\xff"}};
  EXPECT_EQ(SerializeSafetensorsHeader(header).status().code(), absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace tenor

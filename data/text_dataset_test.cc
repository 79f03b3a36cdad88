#include "data/text_dataset.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "absl/strings/str_cat.h"
#include "base/faulty_file_system.h"
#include "base/memory_file_system.h"
#include "base/path.h"
#include "base/status_testing.h"
#include "data/preprocess.h"
#include "data/text_reader.h"

namespace tenor {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

void Write(FileSystem& files, const std::string& path, const std::string& text) {
  ASSERT_OK_AND_ASSIGN(auto file, files.Create(path));
  ASSERT_OK(file->Append(text));
  ASSERT_OK(file->Sync());
  ASSERT_OK(file->Close());
}

std::string Fortune(int i) {
  return absl::StrCat("Number ", i, " &amp; ", std::string(i % 17, 'x'), "\nsays &#", 65 + i % 26,
                      ";.\n");
}

// `count` documents in two files, between them an empty one.
void WriteFortunes(FileSystem& files, int count) {
  std::string texts[2];
  for (int i = 0; i < count; ++i) absl::StrAppend(&texts[i % 2], Fortune(i), "%\n");
  ASSERT_OK(files.CreateDirectory("in"));
  Write(files, "in/a", texts[0] + "\n%\n");
  Write(files, "in/b", texts[1]);
  Write(files, "in/b.dat", std::string("\0\1", 2));
  ASSERT_OK(files.SyncDirectory("in"));
  ASSERT_OK(files.SyncDirectory("."));
}

TextDataSetOptions Options() {
  TextDataSetOptions options;
  options.inputs = {"in"};
  options.output = "out/set";
  options.separator = *ParseSeparator("line:%");
  options.heldout_fraction = 0.1;
  return options;
}

absl::StatusOr<BuiltTextDataSet> Build(FileSystem& files, const TextDataSetOptions& options) {
  return BuildTextDataSet(files, options, nullptr);
}

// All files of the folder.
std::map<std::string, std::string> Contents(FileSystem& files, const std::string& folder) {
  std::map<std::string, std::string> contents;
  const std::vector<std::string> names = *files.List(folder);
  for (const std::string& name : names) {
    contents[name] = *files.ReadFile(JoinPath(folder, name));
  }
  return contents;
}

TEST(BuildTextDataSetTest, HoldsEveryDocumentOnceInAnotherOrder) {
  MemoryFileSystem files;
  WriteFortunes(files, 500);
  ASSERT_OK_AND_ASSIGN(const BuiltTextDataSet built, Build(files, Options()));
  ASSERT_OK_AND_ASSIGN(const auto data, OpenTextDataSet(files, "out/set"));
  EXPECT_OK(data->VerifyChecksums());
  EXPECT_EQ(data->digest(), built.digest);
  EXPECT_EQ(built.data_set.empty_documents(), 1);
  EXPECT_EQ(built.skipped_files, 1);

  std::multiset<std::string> found;
  std::string train;
  for (int64_t i = 0; i < built.data_set.train().documents(); ++i) {
    ASSERT_OK_AND_ASSIGN(const std::string document, data->TrainDocument(i));
    found.insert(document);
    train += document;
  }
  EXPECT_EQ(train, *files.ReadFile("out/set/train.bin"));
  for (int64_t i = 0; i < built.data_set.heldout().documents(); ++i) {
    ASSERT_OK_AND_ASSIGN(const std::string document, data->HeldOutDocument(i));
    found.insert(document);
  }
  std::multiset<std::string> expected;
  for (int i = 0; i < 500; ++i) expected.insert(PreprocessOai(Fortune(i)));
  EXPECT_EQ(found, expected);
  EXPECT_NE(*data->TrainDocument(0), PreprocessOai(Fortune(0)));
  EXPECT_GT(built.data_set.heldout().documents(), 25);
  EXPECT_LT(built.data_set.heldout().documents(), 100);
}

TEST(BuildTextDataSetTest, ThreadsAndBucketsDoNotShow) {
  MemoryFileSystem files;
  WriteFortunes(files, 300);
  ASSERT_OK(Build(files, Options()));
  const auto expected = Contents(files, "out/set");
  EXPECT_EQ(expected.size(), 4u);
  for (const int threads : {0, 2, 5}) {
    for (const size_t bucket_bytes : {size_t{1}, size_t{999}, size_t{1} << 30}) {
      TextDataSetOptions options = Options();
      options.output = absl::StrCat("out/", threads, "-", bucket_bytes);
      options.threads = threads;
      options.bucket_bytes = bucket_bytes;
      ASSERT_OK(Build(files, options));
      EXPECT_EQ(Contents(files, options.output), expected);
    }
  }
}

TEST(BuildTextDataSetTest, TheSeedDecidesTheOrder) {
  MemoryFileSystem files;
  WriteFortunes(files, 100);
  ASSERT_OK(Build(files, Options()));
  TextDataSetOptions options = Options();
  options.output = "other";
  options.seed = 2;
  ASSERT_OK(Build(files, options));
  EXPECT_NE(*files.ReadFile("other/train.bin"), *files.ReadFile("out/set/train.bin"));
}

TEST(BuildTextDataSetTest, EqualDocumentsAreHeldOutTogether) {
  MemoryFileSystem files;
  std::string text;
  for (int i = 0; i < 400; ++i) absl::StrAppend(&text, "line ", i % 40, "\n");
  Write(files, "in", text);
  TextDataSetOptions options = Options();
  options.separator = *ParseSeparator("line");
  ASSERT_OK_AND_ASSIGN(const BuiltTextDataSet built, Build(files, options));
  EXPECT_EQ(built.data_set.heldout().documents() % 10, 0);
  EXPECT_GT(built.data_set.heldout().documents(), 0);
}

TEST(BuildTextDataSetTest, ASecondBuildChangesNothing) {
  MemoryFileSystem files;
  WriteFortunes(files, 50);
  ASSERT_OK(Build(files, Options()));
  const auto before = Contents(files, "out/set");
  ASSERT_OK_AND_ASSIGN(const BuiltTextDataSet again, Build(files, Options()));
  EXPECT_TRUE(again.was_there);
  EXPECT_EQ(Contents(files, "out/set"), before);

  TextDataSetOptions options = Options();
  options.seed = 9;
  EXPECT_THAT(Build(files, options),
              StatusIs(absl::StatusCode::kAlreadyExists, HasSubstr("another data set (seed: 1")));
  Write(files, "in/c", "one more\n");
  EXPECT_THAT(Build(files, Options()),
              StatusIs(absl::StatusCode::kAlreadyExists, HasSubstr("crc32c:")));
  EXPECT_EQ(Contents(files, "out/set"), before);
}

TEST(BuildTextDataSetTest, AForeignFolderIsRefused) {
  MemoryFileSystem files;
  WriteFortunes(files, 5);
  ASSERT_OK(files.CreateDirectory("out"));
  ASSERT_OK(files.CreateDirectory("out/set"));
  Write(files, "out/set/train.bin", "mine");
  EXPECT_THAT(Build(files, Options()),
              StatusIs(absl::StatusCode::kAlreadyExists, HasSubstr("not empty (train.bin)")));
  EXPECT_EQ(*files.ReadFile("out/set/train.bin"), "mine");
}

TEST(BuildTextDataSetTest, ReadsCsvAndJsonLines) {
  MemoryFileSystem files;
  Write(files, "a.csv", "label,sentence\n1,\"good, &quot;really&quot;\"\n0,\n");
  Write(files, "a.jsonl", "{\"t\": \"one\"}\n\n{\"t\": \"two\"}\n");
  TextDataSetOptions options = Options();
  options.heldout_fraction = 0;
  options.inputs = {"a.csv"};
  options.separator = *ParseSeparator("csv:sentence");
  ASSERT_OK_AND_ASSIGN(const BuiltTextDataSet built, Build(files, options));
  EXPECT_EQ(*files.ReadFile("out/set/train.bin"), "\n good, \"really\" ");
  EXPECT_EQ(built.data_set.empty_documents(), 1);
  options.inputs = {"a.jsonl"};
  options.separator = *ParseSeparator("jsonl:t");
  options.output = "json";
  ASSERT_OK(Build(files, options));
  EXPECT_EQ(files.ReadFile("json/train.bin")->size(), std::string("\n one \n two ").size());
}

TEST(BuildTextDataSetTest, ErrorsNameFileAndLine) {
  MemoryFileSystem files;
  const auto error = [&files](const std::string& separator, const std::string& text) {
    Write(files, "in", text);
    TextDataSetOptions options = Options();
    options.separator = *ParseSeparator(separator);
    options.threads = 3;
    const absl::Status status = Build(files, options).status();
    EXPECT_FALSE(*files.Exists("out/set/building.tmp"));
    EXPECT_THAT(std::string(status.message()), Not(HasSubstr("\n")));
    return std::string(status.message());
  };
  EXPECT_EQ(error("csv:x", "a,b\n1,2\n"), "in:1: there is no column \"x\"; the columns are a, b");
  EXPECT_EQ(error("jsonl:t", "{\"t\":\"x\"}\n{}\n"), "in:2: the object has no member \"t\"");
  EXPECT_THAT(error("blank", " \n\n"), HasSubstr("the input holds no text"));
  EXPECT_THAT(error("line", "&nbsp;\n"), HasSubstr("1 empty documents"));
  TextDataSetOptions options = Options();
  options.inputs = {"missing"};
  EXPECT_THAT(Build(files, options), StatusIs(absl::StatusCode::kNotFound, HasSubstr("missing")));
  options.inputs = {};
  EXPECT_THAT(Build(files, options), StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(BuildTextDataSetTest, AFullDiskIsReported) {
  MemoryFileSystem probe;
  WriteFortunes(probe, 2000);
  const uint64_t input = probe.ReadFile("in/a")->size() + probe.ReadFile("in/b")->size();
  MemoryFileSystem files(input + input / 2);
  WriteFortunes(files, 2000);
  EXPECT_THAT(Build(files, Options()),
              StatusIs(absl::StatusCode::kResourceExhausted, HasSubstr("out/set")));
}

TEST(BuildTextDataSetTest, AfterAFaultAnywhereTheNextBuildSucceedsOrFindsItDone) {
  MemoryFileSystem good;
  WriteFortunes(good, 20);
  ASSERT_OK(Build(good, Options()));
  const auto expected = Contents(good, "out/set");
  for (uint64_t nth = 1;; ++nth) {
    MemoryFileSystem memory;
    WriteFortunes(memory, 20);
    FaultyFileSystem files(memory);
    files.SetFault({.nth = nth, .count = 1'000'000});
    const bool built = Build(files, Options()).ok();
    memory.DropUnsynced();  // the machine goes down with the disk
    ASSERT_OK(Build(memory, Options())) << nth;
    EXPECT_EQ(Contents(memory, "out/set"), expected) << nth;
    if (built) break;
  }
}

TEST(OpenTextDataSetTest, FindsDamage) {
  MemoryFileSystem files;
  WriteFortunes(files, 50);
  ASSERT_OK(Build(files, Options()));
  std::string train = *files.ReadFile("out/set/train.bin");
  train[10] ^= 1;
  Write(files, "out/set/train.bin", train);
  ASSERT_OK_AND_ASSIGN(const auto data, OpenTextDataSet(files, "out/set"));
  EXPECT_THAT(data->VerifyChecksums(),
              StatusIs(absl::StatusCode::kDataLoss, HasSubstr("out/set/train.bin")));
  Write(files, "out/set/train.bin", train + "x");
  EXPECT_THAT(OpenTextDataSet(files, "out/set"), StatusIs(absl::StatusCode::kDataLoss));
  EXPECT_THAT(OpenTextDataSet(files, "in"), StatusIs(absl::StatusCode::kNotFound));
}

TEST(OpenTextDataSetTest, ReadsAreBounded) {
  MemoryFileSystem files;
  WriteFortunes(files, 50);
  ASSERT_OK(Build(files, Options()));
  ASSERT_OK_AND_ASSIGN(const auto data, OpenTextDataSet(files, "out/set"));
  std::vector<uint8_t> bytes(4);
  EXPECT_OK(data->ReadTrain(data->train_bytes() - 4, bytes));
  for (const int64_t offset : {data->train_bytes() - 3, int64_t{-1}, INT64_MAX, INT64_MIN}) {
    EXPECT_THAT(data->ReadTrain(offset, bytes), StatusIs(absl::StatusCode::kOutOfRange));
  }
  EXPECT_THAT(data->TrainDocument(-1), StatusIs(absl::StatusCode::kOutOfRange));
  EXPECT_THAT(data->HeldOutDocument(1000), StatusIs(absl::StatusCode::kOutOfRange));
}

TEST(CheckIsDataSetOfTest, NamesBothValues) {
  MemoryFileSystem files;
  WriteFortunes(files, 50);
  ASSERT_OK_AND_ASSIGN(const BuiltTextDataSet built, Build(files, Options()));
  ASSERT_OK_AND_ASSIGN(const auto data, OpenTextDataSet(files, "out/set"));
  spec::TextData text;
  text.set_digest(built.digest);
  text.set_bytes(data->train_bytes());
  EXPECT_OK(CheckIsDataSetOf(*data, text));
  text.set_bytes(7);
  EXPECT_THAT(CheckIsDataSetOf(*data, text),
              StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("says 7")));
  text.set_digest("crc32c:00000000");
  EXPECT_THAT(CheckIsDataSetOf(*data, text),
              StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr(built.digest)));
}

}  // namespace
}  // namespace tenor

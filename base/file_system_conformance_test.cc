// What every FileSystem does alike.

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/faulty_file_system.h"
#include "base/file_operations.h"
#include "base/file_system.h"
#include "base/memory_file_system.h"
#include "base/path.h"
#include "base/posix_file_system.h"
#include "base/status_testing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tenor {
namespace {

using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

enum class Kind { kPosix, kMemory, kFaulty };

std::string Name(Kind kind) {
  return kind == Kind::kPosix ? "Posix" : kind == Kind::kMemory ? "Memory" : "Faulty";
}

class FileSystemTest : public testing::TestWithParam<Kind> {
 protected:
  void SetUp() override {
    const testing::TestInfo& test = *testing::UnitTest::GetInstance()->current_test_info();
    root_ = absl::StrCat(testing::TempDir(), "/files");
    for (const char c : absl::string_view(test.name())) root_.push_back(c == '/' ? '_' : c);
    ASSERT_OK(RemoveTree(files(), root_));
    ASSERT_OK(EnsureDirectory(files(), root_));
  }

  FileSystem& files() {
    switch (GetParam()) {
      case Kind::kPosix:
        return posix_;
      case Kind::kMemory:
        return memory_;
      case Kind::kFaulty:
        return faulty_;
    }
    return posix_;
  }

  std::string At(absl::string_view name) const { return JoinPath(root_, name); }

  void Put(absl::string_view name, absl::string_view contents) {
    ASSERT_OK_AND_ASSIGN(const auto file, files().Create(At(name)));
    ASSERT_OK(file->Append(contents));
    ASSERT_OK(file->Close());
  }

  void PutDirectory(absl::string_view name) { ASSERT_OK(files().CreateDirectory(At(name))); }

 private:
  std::string root_;
  PosixFileSystem posix_;
  MemoryFileSystem memory_;
  FaultyFileSystem faulty_{memory_};
};

TEST_P(FileSystemTest, WritesAndReadsBack) {
  ASSERT_OK_AND_ASSIGN(const auto file, files().Create(At("a")));
  EXPECT_OK(file->Append("hello "));
  EXPECT_OK(file->Append(""));
  EXPECT_OK(file->Append(absl::string_view("wor\0ld", 6)));
  EXPECT_OK(file->Sync());
  EXPECT_OK(file->Close());
  EXPECT_THAT(files().ReadFile(At("a")), IsOkAndHolds(std::string("hello wor\0ld", 12)));
  EXPECT_THAT(files().FileSize(At("a")), IsOkAndHolds(12u));
}

TEST_P(FileSystemTest, CreateEmptiesAnExistingFile) {
  Put("a", "long contents");
  Put("a", "short");
  EXPECT_THAT(files().ReadFile(At("a")), IsOkAndHolds("short"));
}

TEST_P(FileSystemTest, CreateNeedsTheDirectory) {
  EXPECT_THAT(files().Create(At("no/a")),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr(At("no/a"))));
  Put("file", "");
  EXPECT_THAT(files().Create(At("file/a")), StatusIs(absl::StatusCode::kFailedPrecondition));
  PutDirectory("d");
  EXPECT_THAT(files().Create(At("d")), StatusIs(absl::StatusCode::kFailedPrecondition));
  EXPECT_THAT(files().Create(""), StatusIs(absl::StatusCode::kNotFound));
  EXPECT_THAT(files().Create(At(absl::string_view("a\0b", 3))),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST_P(FileSystemTest, CreateExclusiveRefusesAnExistingName) {
  {
    ASSERT_OK_AND_ASSIGN(const auto file, files().CreateExclusive(At("claim")));
    EXPECT_OK(file->Append("mine"));
  }
  EXPECT_THAT(files().CreateExclusive(At("claim")),
              StatusIs(absl::StatusCode::kAlreadyExists, HasSubstr("claim: File exists")));
  EXPECT_THAT(files().ReadFile(At("claim")), IsOkAndHolds("mine"));
  PutDirectory("d");
  EXPECT_THAT(files().CreateExclusive(At("d")), StatusIs(absl::StatusCode::kAlreadyExists));
}

TEST_P(FileSystemTest, OpenForAppendWritesBehindWhatIsThere) {
  {
    ASSERT_OK_AND_ASSIGN(const auto file, files().OpenForAppend(At("log")));
    EXPECT_OK(file->Append("one "));
  }
  ASSERT_OK_AND_ASSIGN(const auto file, files().OpenForAppend(At("log")));
  EXPECT_OK(file->Append("two"));
  EXPECT_THAT(files().ReadFile(At("log")), IsOkAndHolds("one two"));
}

TEST_P(FileSystemTest, AClosedFileRefuses) {
  ASSERT_OK_AND_ASSIGN(const auto file, files().Create(At("a")));
  EXPECT_OK(file->Close());
  EXPECT_THAT(file->Append("x"), StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("/a")));
  EXPECT_THAT(file->Sync(), StatusIs(absl::StatusCode::kFailedPrecondition));
  EXPECT_THAT(file->Close(), StatusIs(absl::StatusCode::kFailedPrecondition));
}

TEST_P(FileSystemTest, ReadsAtOffsets) {
  Put("a", "0123456789");
  ASSERT_OK_AND_ASSIGN(const auto file, files().Open(At("a")));
  EXPECT_EQ(file->Size(), 10u);
  std::array<char, 4> out;
  EXPECT_OK(file->Read(3, std::as_writable_bytes(std::span(out))));
  EXPECT_EQ(absl::string_view(out.data(), 4), "3456");
  EXPECT_OK(file->Read(6, std::as_writable_bytes(std::span(out))));
  EXPECT_EQ(absl::string_view(out.data(), 4), "6789");
  EXPECT_OK(file->Read(10, {}));
}

TEST_P(FileSystemTest, ReadPastTheEndIsOutOfRange) {
  Put("a", "0123456789");
  ASSERT_OK_AND_ASSIGN(const auto file, files().Open(At("a")));
  std::array<std::byte, 4> out;
  EXPECT_THAT(file->Read(7, out), StatusIs(absl::StatusCode::kOutOfRange, HasSubstr("/a")));
  EXPECT_THAT(file->Read(11, out), StatusIs(absl::StatusCode::kOutOfRange));
  EXPECT_THAT(file->Read(uint64_t{1} << 62, out), StatusIs(absl::StatusCode::kOutOfRange));
}

TEST_P(FileSystemTest, OpenNeedsAFile) {
  EXPECT_THAT(files().Open(At("no")),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("no: No such file")));
  EXPECT_THAT(files().ReadFile(At("no")), StatusIs(absl::StatusCode::kNotFound));
  PutDirectory("d");
  EXPECT_THAT(files().Open(At("d")), StatusIs(absl::StatusCode::kFailedPrecondition));
  EXPECT_THAT(files().FileSize(At("d")), StatusIs(absl::StatusCode::kFailedPrecondition));
  EXPECT_THAT(files().FileSize(At("no")), StatusIs(absl::StatusCode::kNotFound));
}

TEST_P(FileSystemTest, ReadFileHasALimit) {
  Put("a", "0123456789");
  EXPECT_THAT(files().ReadFile(At("a"), 9),
              StatusIs(absl::StatusCode::kResourceExhausted, HasSubstr("10 bytes")));
  EXPECT_THAT(files().ReadFile(At("a"), 10), IsOkAndHolds("0123456789"));
}

TEST_P(FileSystemTest, AnOpenFileOutlivesItsName) {
  Put("a", "old");
  ASSERT_OK_AND_ASSIGN(const auto file, files().Open(At("a")));
  Put("b", "new");
  ASSERT_OK(files().Rename(At("b"), At("a")));
  std::array<char, 3> out;
  EXPECT_OK(file->Read(0, std::as_writable_bytes(std::span(out))));
  EXPECT_EQ(absl::string_view(out.data(), 3), "old");
  EXPECT_THAT(files().ReadFile(At("a")), IsOkAndHolds("new"));
}

TEST_P(FileSystemTest, RenameMovesAndReplaces) {
  Put("a", "a");
  Put("b", "b");
  PutDirectory("d");
  EXPECT_OK(files().Rename(At("a"), At("b")));
  EXPECT_THAT(files().ReadFile(At("b")), IsOkAndHolds("a"));
  EXPECT_OK(files().Rename(At("b"), At("d/c")));
  EXPECT_OK(files().Rename(At("d/c"), At("d/c")));
  EXPECT_OK(files().Rename(At("d"), At("e")));
  EXPECT_THAT(files().ReadFile(At("e/c")), IsOkAndHolds("a"));
  EXPECT_THAT(files().List(At("")), IsOkAndHolds(ElementsAre("e")));
}

TEST_P(FileSystemTest, RenameRefusesWhatWouldLoseOrTangle) {
  EXPECT_THAT(files().Rename(At("no"), At("b")),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr(At("no") + " to " + At("b"))));
  Put("file", "");
  PutDirectory("d");
  Put("d/inside", "");
  PutDirectory("e");
  EXPECT_THAT(files().Rename(At("file"), At("d")), StatusIs(absl::StatusCode::kFailedPrecondition));
  EXPECT_THAT(files().Rename(At("e"), At("file")), StatusIs(absl::StatusCode::kFailedPrecondition));
  EXPECT_THAT(files().Rename(At("e"), At("d")), StatusIs(absl::StatusCode::kFailedPrecondition));
  EXPECT_THAT(files().Rename(At("d"), At("d/d")), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(files().Rename(At("file"), At("no/file")), StatusIs(absl::StatusCode::kNotFound));
}

TEST_P(FileSystemTest, RemovesFilesAndEmptyDirectories) {
  Put("a", "");
  PutDirectory("d");
  Put("d/inside", "");
  EXPECT_THAT(files().Remove(At("d")),
              StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("not empty")));
  EXPECT_OK(files().Remove(At("d/inside")));
  EXPECT_OK(files().Remove(At("d")));
  EXPECT_OK(files().Remove(At("a")));
  EXPECT_THAT(files().Remove(At("a")), StatusIs(absl::StatusCode::kNotFound));
  EXPECT_THAT(files().List(At("")), IsOkAndHolds(IsEmpty()));
}

TEST_P(FileSystemTest, ListsNamesInOrder) {
  Put("b", "");
  Put("B", "");
  Put("a10", "");
  Put("a9", "");
  PutDirectory(".d");
  EXPECT_THAT(files().List(At("")), IsOkAndHolds(ElementsAre(".d", "B", "a10", "a9", "b")));
  EXPECT_THAT(files().List(At("no")), StatusIs(absl::StatusCode::kNotFound));
  EXPECT_THAT(files().List(At("b")), StatusIs(absl::StatusCode::kFailedPrecondition));
}

TEST_P(FileSystemTest, CreateDirectoryRefusesAnExistingName) {
  PutDirectory("d");
  EXPECT_THAT(files().CreateDirectory(At("d")), StatusIs(absl::StatusCode::kAlreadyExists));
  EXPECT_THAT(files().CreateDirectory(At("no/d")), StatusIs(absl::StatusCode::kNotFound));
}

TEST_P(FileSystemTest, SyncDirectoryNeedsADirectory) {
  Put("a", "");
  EXPECT_OK(files().SyncDirectory(At("")));
  EXPECT_THAT(files().SyncDirectory(At("a")), StatusIs(absl::StatusCode::kFailedPrecondition));
  EXPECT_THAT(files().SyncDirectory(At("no")), StatusIs(absl::StatusCode::kNotFound));
}

TEST_P(FileSystemTest, ExistsAndIsDirectory) {
  Put("a", "");
  PutDirectory("d");
  EXPECT_THAT(files().Exists(At("a")), IsOkAndHolds(true));
  EXPECT_THAT(files().Exists(At("d")), IsOkAndHolds(true));
  EXPECT_THAT(files().Exists(At("no")), IsOkAndHolds(false));
  EXPECT_THAT(files().Exists(At("no/no")), IsOkAndHolds(false));
  EXPECT_THAT(files().Exists(At("a/b")), StatusIs(absl::StatusCode::kFailedPrecondition));
  EXPECT_THAT(files().IsDirectory(At("a")), IsOkAndHolds(false));
  EXPECT_THAT(files().IsDirectory(At("d")), IsOkAndHolds(true));
  EXPECT_THAT(files().IsDirectory(At("no")), StatusIs(absl::StatusCode::kNotFound));
}

TEST_P(FileSystemTest, AvailableBytes) {
  EXPECT_THAT(files().AvailableBytes(At("")), IsOkAndHolds(testing::Gt(0u)));
  EXPECT_THAT(files().AvailableBytes(At("no")), StatusIs(absl::StatusCode::kNotFound));
}

TEST_P(FileSystemTest, EnsureDirectoryMakesParentsAndAcceptsWhatIsThere) {
  EXPECT_OK(EnsureDirectory(files(), At("a/b/c")));
  EXPECT_OK(EnsureDirectory(files(), At("a/b/c")));
  EXPECT_THAT(files().IsDirectory(At("a/b/c")), IsOkAndHolds(true));
  Put("file", "");
  EXPECT_THAT(EnsureDirectory(files(), At("file")), StatusIs(absl::StatusCode::kAlreadyExists));
  EXPECT_THAT(EnsureDirectory(files(), At("file/d")),
              StatusIs(absl::StatusCode::kFailedPrecondition));
}

TEST_P(FileSystemTest, ReplaceFileLeavesNoTemporary) {
  EXPECT_OK(ReplaceFile(files(), At("a"), "one"));
  EXPECT_OK(ReplaceFile(files(), At("a"), "two"));
  EXPECT_THAT(files().ReadFile(At("a")), IsOkAndHolds("two"));
  EXPECT_THAT(files().List(At("")), IsOkAndHolds(ElementsAre("a")));
}

TEST_P(FileSystemTest, RemoveTreeTakesEverything) {
  ASSERT_OK(EnsureDirectory(files(), At("d/e")));
  Put("d/a", "");
  Put("d/e/b", "");
  EXPECT_OK(RemoveTree(files(), At("d")));
  EXPECT_OK(RemoveTree(files(), At("d")));
  EXPECT_THAT(files().List(At("")), IsOkAndHolds(IsEmpty()));
}

INSTANTIATE_TEST_SUITE_P(All, FileSystemTest,
                         testing::Values(Kind::kPosix, Kind::kMemory, Kind::kFaulty),
                         [](const auto& info) { return Name(info.param); });

}  // namespace
}  // namespace tenor

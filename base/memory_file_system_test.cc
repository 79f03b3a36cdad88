// What a loss of power does; the rest is in file_system_conformance_test.cc.

#include "base/memory_file_system.h"

#include <array>
#include <cstddef>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "base/file_operations.h"
#include "base/status_testing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tenor {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class MemoryFileSystemTest : public testing::Test {
 protected:
  // A file with contents and name on the disk.
  void PutDurably(absl::string_view path, absl::string_view contents) {
    ASSERT_OK_AND_ASSIGN(const auto file, files_.Create(path));
    ASSERT_OK(file->Append(contents));
    ASSERT_OK(file->Sync());
    ASSERT_OK(files_.SyncDirectory("/"));
  }

  MemoryFileSystem files_;
};

TEST_F(MemoryFileSystemTest, ContentsGoBackToTheLastSync) {
  PutDurably("a", "kept");
  ASSERT_OK_AND_ASSIGN(const auto file, files_.OpenForAppend("a"));
  ASSERT_OK(file->Append(" synced"));
  ASSERT_OK(file->Sync());
  ASSERT_OK(file->Append(" lost"));
  files_.DropUnsynced();
  EXPECT_THAT(files_.ReadFile("a"), IsOkAndHolds("kept synced"));
}

TEST_F(MemoryFileSystemTest, TruncationGoesBackToo) {
  PutDurably("a", "old");
  ASSERT_OK_AND_ASSIGN(const auto file, files_.Create("a"));
  ASSERT_OK(file->Append("newer"));
  files_.DropUnsynced();
  EXPECT_THAT(files_.ReadFile("a"), IsOkAndHolds("old"));
}

TEST_F(MemoryFileSystemTest, ATruncatedFileThatWasSyncedIsNew) {
  PutDurably("a", "older contents");
  ASSERT_OK_AND_ASSIGN(const auto file, files_.Create("a"));
  ASSERT_OK(file->Append("new"));
  ASSERT_OK(file->Sync());
  files_.DropUnsynced();
  EXPECT_THAT(files_.ReadFile("a"), IsOkAndHolds("new"));
}

TEST_F(MemoryFileSystemTest, ANameWithoutDirectorySyncVanishes) {
  ASSERT_OK_AND_ASSIGN(const auto file, files_.Create("a"));
  ASSERT_OK(file->Append("x"));
  ASSERT_OK(file->Sync());
  files_.DropUnsynced();
  EXPECT_THAT(files_.List("/"), IsOkAndHolds(IsEmpty()));
}

TEST_F(MemoryFileSystemTest, ANameWithoutFileSyncIsEmpty) {
  ASSERT_OK_AND_ASSIGN(const auto file, files_.Create("a"));
  ASSERT_OK(file->Append("x"));
  ASSERT_OK(files_.SyncDirectory("/"));
  files_.DropUnsynced();
  EXPECT_THAT(files_.ReadFile("a"), IsOkAndHolds(""));
}

TEST_F(MemoryFileSystemTest, ARenameWithoutDirectorySyncIsUndone) {
  PutDurably("a", "a");
  PutDurably("b", "b");
  ASSERT_OK(files_.Rename("a", "b"));
  files_.DropUnsynced();
  EXPECT_THAT(files_.ReadFile("a"), IsOkAndHolds("a"));
  EXPECT_THAT(files_.ReadFile("b"), IsOkAndHolds("b"));
}

TEST_F(MemoryFileSystemTest, ARenameWithDirectorySyncStays) {
  PutDurably("a", "a");
  ASSERT_OK(files_.Rename("a", "b"));
  ASSERT_OK(files_.SyncDirectory("/"));
  files_.DropUnsynced();
  EXPECT_THAT(files_.List("/"), IsOkAndHolds(ElementsAre("b")));
}

TEST_F(MemoryFileSystemTest, ARemovalWithoutDirectorySyncIsUndone) {
  PutDurably("a", "a");
  ASSERT_OK(files_.Remove("a"));
  files_.DropUnsynced();
  EXPECT_THAT(files_.ReadFile("a"), IsOkAndHolds("a"));
}

TEST_F(MemoryFileSystemTest, ADirectorySyncDoesNotReachBelow) {
  ASSERT_OK(files_.CreateDirectory("d"));
  ASSERT_OK(files_.SyncDirectory("/"));
  ASSERT_OK(files_.Create("d/a").status());
  files_.DropUnsynced();
  EXPECT_THAT(files_.List("d"), IsOkAndHolds(IsEmpty()));
}

TEST_F(MemoryFileSystemTest, OpenFilesAreDeadAfterwards) {
  PutDurably("a", "abc");
  ASSERT_OK_AND_ASSIGN(const auto reader, files_.Open("a"));
  ASSERT_OK_AND_ASSIGN(const auto writer, files_.OpenForAppend("a"));
  files_.DropUnsynced();
  std::array<std::byte, 1> out;
  EXPECT_THAT(reader->Read(0, out), StatusIs(absl::StatusCode::kUnavailable, HasSubstr("a")));
  EXPECT_THAT(writer->Append("x"), StatusIs(absl::StatusCode::kUnavailable));
  EXPECT_THAT(files_.ReadFile("a"), IsOkAndHolds("abc"));
}

TEST_F(MemoryFileSystemTest, ReplaceFileAndEnsureDirectoryAreDurable) {
  ASSERT_OK(EnsureDirectory(files_, "/runs/one"));
  ASSERT_OK(ReplaceFile(files_, "/runs/one/a", "1"));
  files_.DropUnsynced();
  EXPECT_THAT(files_.ReadFile("/runs/one/a"), IsOkAndHolds("1"));
}

TEST(MemoryFileSystemCapacityTest, AFullDiskRefusesAndRecovers) {
  MemoryFileSystem files(8);
  ASSERT_OK_AND_ASSIGN(const auto file, files.Create("a"));
  EXPECT_OK(file->Append("12345"));
  EXPECT_THAT(files.AvailableBytes("/"), IsOkAndHolds(3u));
  EXPECT_THAT(file->Append("6789"),
              StatusIs(absl::StatusCode::kResourceExhausted, "write a: No space left on device"));
  EXPECT_OK(file->Append("678"));
  EXPECT_OK(files.Remove("a"));
  EXPECT_THAT(files.AvailableBytes("/"), IsOkAndHolds(8u));
}

TEST(MemoryFileSystemPathTest, RelativePathsBeginAtTheRoot) {
  MemoryFileSystem files;
  EXPECT_OK(files.Create("a").status());
  EXPECT_THAT(files.Exists("/a"), IsOkAndHolds(true));
  EXPECT_THAT(files.Exists("./a"), IsOkAndHolds(true));
  EXPECT_THAT(files.Create("../a"), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(files.Remove("/"), StatusIs(absl::StatusCode::kFailedPrecondition));
}

}  // namespace
}  // namespace tenor

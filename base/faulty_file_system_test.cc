#include "base/faulty_file_system.h"

#include <cstdint>

#include "absl/status/status.h"
#include "base/file_operations.h"
#include "base/memory_file_system.h"
#include "base/status_testing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tenor {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;

class FaultyFileSystemTest : public testing::Test {
 protected:
  MemoryFileSystem memory_;
  FaultyFileSystem files_{memory_};
};

TEST_F(FaultyFileSystemTest, FailsTheNthCallOnly) {
  files_.SetFault({.operation = FileOperation::kCreate, .nth = 2});
  EXPECT_OK(files_.Create("a").status());
  EXPECT_THAT(files_.Create("b"),
              StatusIs(absl::StatusCode::kResourceExhausted, HasSubstr("create b: No space")));
  EXPECT_THAT(memory_.Exists("b"), IsOkAndHolds(false));
  EXPECT_OK(files_.Create("b").status());
}

TEST_F(FaultyFileSystemTest, FailsSeveralInTurnAndStopsWhenCleared) {
  files_.SetFault(
      {.operation = FileOperation::kRemove, .count = 3, .status = absl::UnavailableError("gone")});
  ASSERT_OK(memory_.Create("a").status());
  EXPECT_THAT(files_.Remove("a"), StatusIs(absl::StatusCode::kUnavailable, "remove a: gone"));
  EXPECT_THAT(files_.Remove("a"), StatusIs(absl::StatusCode::kUnavailable));
  files_.ClearFaults();
  EXPECT_OK(files_.Remove("a"));
}

TEST_F(FaultyFileSystemTest, CountsFromWhenTheFaultWasSet) {
  EXPECT_OK(files_.Create("a").status());
  files_.SetFault({.operation = FileOperation::kCreate, .nth = 1});
  EXPECT_THAT(files_.Create("b"), StatusIs(absl::StatusCode::kResourceExhausted));
}

TEST_F(FaultyFileSystemTest, AFailedWriteLeavesHalf) {
  ASSERT_OK_AND_ASSIGN(const auto file, files_.Create("a"));
  files_.SetFault({.operation = FileOperation::kWrite});
  EXPECT_THAT(file->Append("123456"),
              StatusIs(absl::StatusCode::kResourceExhausted, HasSubstr("write a: ")));
  EXPECT_THAT(memory_.ReadFile("a"), IsOkAndHolds("123"));
}

TEST_F(FaultyFileSystemTest, AFailedSyncIsNone) {
  ASSERT_OK_AND_ASSIGN(const auto file, files_.Create("a"));
  ASSERT_OK(file->Append("123456"));
  ASSERT_OK(files_.SyncDirectory("/"));
  files_.SetFault({.operation = FileOperation::kSync});
  EXPECT_THAT(file->Sync(), StatusIs(absl::StatusCode::kResourceExhausted));
  memory_.DropUnsynced();
  EXPECT_THAT(memory_.ReadFile("a"), IsOkAndHolds(""));
}

TEST_F(FaultyFileSystemTest, ReadsFailToo) {
  ASSERT_OK(ReplaceFile(memory_, "a", "abc"));
  files_.SetFault({.operation = FileOperation::kRead, .nth = 2});
  EXPECT_THAT(files_.ReadFile("a"), StatusIs(absl::StatusCode::kResourceExhausted));
}

// The loop that its header recommends: a fault and then a loss of power at every point.
TEST_F(FaultyFileSystemTest, ReplaceFileIsAllOrNothingAtEveryFault) {
  ASSERT_OK(ReplaceFile(files_, "a", "old"));
  const uint64_t before = files_.Calls(FileOperation::kAny);
  ASSERT_OK(ReplaceFile(files_, "a", "old"));
  const uint64_t calls = files_.Calls(FileOperation::kAny) - before;
  EXPECT_EQ(calls, 6u);
  for (uint64_t nth = 1; nth <= calls; ++nth) {
    files_.ClearFaults();
    ASSERT_OK(ReplaceFile(files_, "a", "old"));
    files_.SetFault({.operation = FileOperation::kAny, .nth = nth});
    EXPECT_THAT(ReplaceFile(files_, "a", "new"), StatusIs(absl::StatusCode::kResourceExhausted));
    memory_.DropUnsynced();
    EXPECT_THAT(memory_.ReadFile("a"), IsOkAndHolds(AnyOf("old", "new"))) << "call " << nth;
  }
}

}  // namespace
}  // namespace tenor

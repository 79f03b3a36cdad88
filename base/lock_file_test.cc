#include "base/lock_file.h"

#include <string>

#include "absl/status/status.h"
#include "base/posix_file_system.h"
#include "base/status_testing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tenor {
namespace {

using ::testing::HasSubstr;

std::string Temporary(const std::string& name) { return testing::TempDir() + "/" + name; }

TEST(LockFileTest, OneHolderAtATime) {
  const std::string path = Temporary("one_holder.lock");
  ASSERT_OK_AND_ASSIGN(auto first, LockFile::Acquire(path, "server0, pid 12, node0"));
  EXPECT_THAT(LockFile::Acquire(path, "server1"),
              StatusIs(absl::StatusCode::kAlreadyExists,
                       HasSubstr(path + ": held by server0, pid 12, node0; ")));
  first.reset();
  EXPECT_OK(LockFile::Acquire(path, "server1"));
}

TEST(LockFileTest, TheHolderWritesItsName) {
  const std::string path = Temporary("name.lock");
  ASSERT_OK(LockFile::Acquire(path, "a long name of a former holder"));
  ASSERT_OK_AND_ASSIGN(const auto lock, LockFile::Acquire(path, "server1"));
  PosixFileSystem files;
  EXPECT_THAT(files.ReadFile(path), IsOkAndHolds("server1\n"));
}

TEST(LockFileTest, WhatAHolderWroteStaysOneLine) {
  const std::string path = Temporary("line.lock");
  ASSERT_OK_AND_ASSIGN(const auto lock, LockFile::Acquire(path, "a\n\x1b[31mb"));
  EXPECT_THAT(LockFile::Acquire(path, "x"),
              StatusIs(absl::StatusCode::kAlreadyExists, HasSubstr("held by a  [31mb; ")));
}

TEST(LockFileTest, NamesAPathThatCannotBe) {
  EXPECT_THAT(LockFile::Acquire(Temporary("no/such.lock"), "x"),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("no/such.lock: No such file")));
}

}  // namespace
}  // namespace tenor

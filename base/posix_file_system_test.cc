// What only the kernel's files have; the rest is in file_system_conformance_test.cc.

#include "base/posix_file_system.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "absl/status/status.h"
#include "base/status_testing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tenor {
namespace {

using ::testing::HasSubstr;

std::string Temporary(const std::string& name) { return testing::TempDir() + "/" + name; }

mode_t ModeOf(const std::string& path) {
  struct stat info = {};
  EXPECT_EQ(stat(path.c_str(), &info), 0);
  return info.st_mode & 0777;
}

TEST(PosixFileSystemTest, FilesAreNotForEverybody) {
  const mode_t before = umask(0);
  PosixFileSystem files;
  EXPECT_OK(files.Create(Temporary("mode_file")));
  EXPECT_OK(files.CreateDirectory(Temporary("mode_directory")));
  umask(before);
  EXPECT_EQ(ModeOf(Temporary("mode_file")), 0640u);
  EXPECT_EQ(ModeOf(Temporary("mode_directory")), 0750u);
}

TEST(PosixFileSystemTest, AFullDiskIsResourceExhausted) {
  PosixFileSystem files;
  ASSERT_OK_AND_ASSIGN(const auto file, files.OpenForAppend("/dev/full"));
  EXPECT_THAT(file->Append("x"), StatusIs(absl::StatusCode::kResourceExhausted,
                                          "write /dev/full: No space left on device"));
}

TEST(PosixFileSystemTest, ANamedPipeIsNoFile) {
  const std::string pipe = Temporary("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  PosixFileSystem files;
  EXPECT_THAT(files.Open(pipe),
              StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("not a file")));
}

TEST(PosixFileSystemTest, DescriptorsDoNotPassToPrograms) {
  // The lowest free descriptor is the one that the next open gets.
  const int next = open("/dev/null", O_RDONLY | O_CLOEXEC);
  ASSERT_GE(next, 0);
  close(next);
  PosixFileSystem files;
  ASSERT_OK_AND_ASSIGN(const auto file, files.Create(Temporary("cloexec")));
  EXPECT_EQ(fcntl(next, F_GETFD), FD_CLOEXEC);
}

TEST(PosixFileSystemTest, ANameThatIsTooLongIsInvalid) {
  PosixFileSystem files;
  EXPECT_THAT(files.Create(Temporary(std::string(300, 'x'))),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace tenor

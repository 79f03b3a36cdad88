#include "server/runner/journal.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "base/faulty_file_system.h"
#include "base/memory_file_system.h"
#include "base/status_testing.h"

namespace tenor {
namespace {

Note NoteOf(int number) {
  Note note;
  note.kind = "test";
  note.detail = absl::StrCat(number);
  return note;
}

// Writes are tried in order; 3 and 4 fail after half of their bytes.
TEST(JournalTest, WhatAFullDiskDoesNotTakeFollowsOnceThereIsRoom) {
  MemoryFileSystem memory;
  FaultyFileSystem files(memory);
  ASSERT_OK(files.CreateDirectory("run"));
  int complaints = 0;
  {
    ASSERT_OK_AND_ASSIGN(std::unique_ptr<Journal> journal,
                         Journal::Open(files, "run", [&](const absl::Status&) { ++complaints; }));
    files.SetFault({.operation = FileOperation::kWrite, .nth = 3, .count = 2});
    for (int i = 0; i < 6; ++i) journal->Add(NoteOf(i), absl::UnixEpoch());
  }
  std::string wanted;
  for (int i = 0; i < 6; ++i) wanted += EventJson(NoteOf(i), absl::UnixEpoch()) + "\n";
  EXPECT_THAT(memory.ReadFile("run/events.jsonl"), IsOkAndHolds(wanted));
  EXPECT_EQ(complaints, 1);
}

}  // namespace
}  // namespace tenor

#ifndef TENOR_TESTS_PROCESS_WAIT_H_
#define TENOR_TESTS_PROCESS_WAIT_H_

#include <functional>
#include <string>

#include "absl/time/time.h"
#include "base/file_descriptor.h"

namespace tenor {

// Waits for what other processes write into folders. Single-threaded.
class FolderWatch {
 public:
  FolderWatch();

  // REQUIRES: the folder is there. Folders below it are not watched.
  void Add(const std::string& folder);

  // Until holds() is true, looked at whenever a file of a watched folder changes and every 20 ms;
  // false if that does not happen within `limit`.
  bool WaitUntil(const std::function<bool()>& holds, absl::Duration limit);

 private:
  FileDescriptor changes_;
};

// Time for limits and measurements: monotonic.
absl::Duration MonotonicNow();

}  // namespace tenor

#endif  // TENOR_TESTS_PROCESS_WAIT_H_

#include "base/check.h"

#include <unistd.h>

#include <cstdlib>
#include <string>

namespace tenor::check_internal {

CheckFailure::CheckFailure(const char* file, int line, const std::string& what) {
  message_ << "F " << file << ":" << line << ": check failed: " << what << " ";
}

CheckFailure::~CheckFailure() {
  message_ << "\n";
  const std::string line = message_.str();
  // One write, so that lines of several threads do not mix; nothing can be done if it fails.
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, line.data(), line.size());
  std::abort();
}

}  // namespace tenor::check_internal

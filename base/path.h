#ifndef TENOR_BASE_PATH_H_
#define TENOR_BASE_PATH_H_

#include <string>

#include "absl/strings/string_view.h"

// Paths as text, "/" between the parts. Pure functions; no link is followed.

namespace tenor {

// "a", "b" and "a/", "b" -> "a/b"; "", "b" -> "b"; a `name` that begins with "/" stays as it is.
std::string JoinPath(absl::string_view directory, absl::string_view name);

// "a/b/c" -> "a/b"; "/a" -> "/"; "a" -> "."; slashes at the end do not count.
absl::string_view DirectoryName(absl::string_view path);

// "a/b/c" -> "c"; "a/" -> "a"; "/" -> "".
absl::string_view BaseName(absl::string_view path);

}  // namespace tenor

#endif  // TENOR_BASE_PATH_H_

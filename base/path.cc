#include "base/path.h"

#include <cstddef>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace tenor {
namespace {

absl::string_view WithoutTrailingSlashes(absl::string_view path) {
  while (!path.empty() && path.back() == '/') path.remove_suffix(1);
  return path;
}

}  // namespace

std::string JoinPath(absl::string_view directory, absl::string_view name) {
  if (directory.empty() || (!name.empty() && name.front() == '/')) return std::string(name);
  return absl::StrCat(directory, directory.back() == '/' ? "" : "/", name);
}

absl::string_view DirectoryName(absl::string_view path) {
  const absl::string_view trimmed = WithoutTrailingSlashes(path);
  const size_t slash = trimmed.rfind('/');
  if (slash == absl::string_view::npos) return !path.empty() && trimmed.empty() ? "/" : ".";
  const absl::string_view parent = WithoutTrailingSlashes(trimmed.substr(0, slash));
  return parent.empty() ? "/" : parent;
}

absl::string_view BaseName(absl::string_view path) {
  const absl::string_view trimmed = WithoutTrailingSlashes(path);
  const size_t slash = trimmed.rfind('/');
  return slash == absl::string_view::npos ? trimmed : trimmed.substr(slash + 1);
}

}  // namespace tenor

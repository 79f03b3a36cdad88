#include "server/runner/endpoints.h"

#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/file_operations.h"
#include "base/path.h"
#include "base/status.h"
#include "nlohmann/json.hpp"
#include "proto/parse.h"

namespace tenor {
namespace {

std::string Folder(absl::string_view run_folder) { return JoinPath(run_folder, "endpoints.d"); }

absl::Status ReplaceIfOther(FileSystem& files, const std::string& path, const std::string& text) {
  const absl::StatusOr<std::string> present = files.ReadFile(path);
  if (present.ok() && *present == text) return absl::OkStatus();
  return ReplaceFile(files, path, text);
}

}  // namespace

absl::Status WriteEndpoint(FileSystem& files, absl::string_view run_folder,
                           const spec::Endpoints::Process& process) {
  TENOR_RETURN_IF_ERROR(EnsureDirectory(files, Folder(run_folder)));
  spec::Endpoints one;
  *one.add_processes() = process;
  const std::string name = absl::StrCat(process.role(), "-", process.index(), ".textproto");
  return ReplaceFile(files, JoinPath(Folder(run_folder), name), PrintText(one));
}

absl::Status JoinEndpoints(FileSystem& files, absl::string_view run_folder,
                           absl::string_view run_name) {
  TENOR_ASSIGN_OR_RETURN(const std::vector<std::string> names, files.List(Folder(run_folder)));
  spec::Endpoints all;
  all.set_run(std::string(run_name));
  for (const std::string& name : names) {
    if (!absl::EndsWith(name, ".textproto")) continue;
    const std::string path = JoinPath(Folder(run_folder), name);
    TENOR_ASSIGN_OR_RETURN(const std::string text, files.ReadFile(path));
    const absl::StatusOr<spec::Endpoints> one = ParseEndpoints(text, path);
    if (one.ok()) all.mutable_processes()->MergeFrom(one->processes());
  }
  TENOR_RETURN_IF_ERROR(
      ReplaceIfOther(files, JoinPath(run_folder, "endpoints.textproto"), PrintText(all)));
  return ReplaceIfOther(files, JoinPath(run_folder, "targets.json"), TargetsJson(all));
}

std::string TargetsJson(const spec::Endpoints& endpoints) {
  using Json = nlohmann::ordered_json;
  Json targets = Json::array();
  for (const spec::Endpoints::Process& process : endpoints.processes()) {
    if (process.http().empty()) continue;
    targets.push_back({{"targets", {process.http()}},
                       {"labels",
                        {{"role", process.role()},
                         {"index", absl::StrCat(process.index())},
                         {"run", endpoints.run()}}}});
  }
  return targets.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace tenor

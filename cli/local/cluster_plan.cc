#include "cli/local/cluster_plan.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/path.h"

namespace tenor {
namespace {

std::string LogPath(const ClusterOptions& options, const char* role, int index) {
  return JoinPath(options.run_dir, absl::StrCat("logs/", role, "-", index, ".log"));
}

PlannedProcess PlanServer(const ClusterOptions& options, const std::vector<std::string>& addresses,
                          int index) {
  PlannedProcess process = {
      .program = options.server_program,
      .arguments = {"--index", absl::StrCat(index), "--servers", absl::StrJoin(addresses, ","),
                    "--job", options.job_path, "--run_dir", options.run_dir, "--run_name",
                    options.run_name, "--bind", addresses[static_cast<size_t>(index)],
                    "--http_port", "0", "--threads", absl::StrCat(options.server_threads)},
      .log_path = LogPath(options, "server", index)};
  if (index == 0) {
    process.arguments.insert(process.arguments.end(), {"--admin_bind", "127.0.0.1:0"});
  }
  return process;
}

PlannedProcess PlanWorker(const ClusterOptions& options, const std::string& coordinator,
                          int index) {
  return {.program = options.worker_program,
          .arguments = {"--coordinator", coordinator, "--data_dir", options.data_folder, "--index",
                        absl::StrCat(index), "--run_name", options.run_name, "--run_dir",
                        options.run_dir, "--http_port", "0", "--threads",
                        absl::StrCat(options.worker_threads)},
          .log_path = LogPath(options, "worker", index)};
}

}  // namespace

std::vector<PlannedProcess> PlanCluster(const ClusterOptions& options) {
  std::vector<std::string> addresses;
  for (int port : options.ports) addresses.push_back(absl::StrCat("127.0.0.1:", port));
  std::vector<PlannedProcess> processes;
  for (int i = 0; i < options.servers; ++i) processes.push_back(PlanServer(options, addresses, i));
  for (int i = 0; i < options.workers; ++i) {
    processes.push_back(PlanWorker(options, addresses[0], i));
  }
  return processes;
}

int WorkerThreads(int cores, int workers) { return std::max(1, cores / workers); }

}  // namespace tenor

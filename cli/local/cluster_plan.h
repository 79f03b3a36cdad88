#ifndef TENOR_CLI_LOCAL_CLUSTER_PLAN_H_
#define TENOR_CLI_LOCAL_CLUSTER_PLAN_H_

#include <string>
#include <vector>

namespace tenor {

struct ClusterOptions {
  int servers = 1;
  int workers = 2;
  int server_threads = 1;
  int worker_threads = 1;
  std::vector<int> ports;  // of the servers, on 127.0.0.1
  std::string run_name;
  std::string run_dir;   // absolute
  std::string job_path;  // what servers read
  std::string data_folder;
  std::string server_program;
  std::string worker_program;
};

// One program of a cluster on this machine.
struct PlannedProcess {
  std::string program;
  std::vector<std::string> arguments;
  std::string log_path;
};

// Servers first, then workers. Pure. REQUIRES: a port a server.
std::vector<PlannedProcess> PlanCluster(const ClusterOptions& options);

// What each worker gets: floor(cores / workers), at least 1.
int WorkerThreads(int cores, int workers);

}  // namespace tenor

#endif  // TENOR_CLI_LOCAL_CLUSTER_PLAN_H_

#include "cli/local/cluster_plan.h"

#include <algorithm>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tenor {
namespace {

ClusterOptions Options() {
  return {.servers = 2,
          .workers = 3,
          .server_threads = 1,
          .worker_threads = 4,
          .ports = {5001, 5002},
          .run_name = "first",
          .run_dir = "/runs/first",
          .job_path = "/runs/first/job-to-run.textproto",
          .data_folder = "/data",
          .server_program = "/bin/tenor-server",
          .worker_program = "/bin/tenor-worker"};
}

// The word behind a flag; "" without the flag.
std::string ValueOf(const PlannedProcess& process, const std::string& flag) {
  const auto found = std::find(process.arguments.begin(), process.arguments.end(), flag);
  return found == process.arguments.end() ? "" : *(found + 1);
}

TEST(ClusterPlanTest, ServersFirstThenWorkers) {
  const std::vector<PlannedProcess> plan = PlanCluster(Options());
  ASSERT_EQ(plan.size(), 5u);
  EXPECT_EQ(plan[1].program, "/bin/tenor-server");
  EXPECT_EQ(plan[1].log_path, "/runs/first/logs/server-1.log");
  EXPECT_EQ(plan[2].program, "/bin/tenor-worker");
  EXPECT_EQ(plan[4].log_path, "/runs/first/logs/worker-2.log");
}

TEST(ClusterPlanTest, ServersKnowEachOther) {
  const std::vector<PlannedProcess> plan = PlanCluster(Options());
  for (int i : {0, 1}) {
    EXPECT_EQ(ValueOf(plan[static_cast<size_t>(i)], "--servers"), "127.0.0.1:5001,127.0.0.1:5002");
    EXPECT_EQ(ValueOf(plan[static_cast<size_t>(i)], "--index"), std::to_string(i));
  }
  EXPECT_EQ(ValueOf(plan[1], "--bind"), "127.0.0.1:5002");
  EXPECT_EQ(ValueOf(plan[0], "--admin_bind"), "127.0.0.1:0");
  EXPECT_EQ(ValueOf(plan[1], "--admin_bind"), "");
  EXPECT_EQ(ValueOf(plan[0], "--http_port"), "0");
}

TEST(ClusterPlanTest, WorkersDialServer0) {
  const std::vector<PlannedProcess> plan = PlanCluster(Options());
  EXPECT_EQ(ValueOf(plan[3], "--coordinator"), "127.0.0.1:5001");
  EXPECT_EQ(ValueOf(plan[3], "--index"), "1");
  EXPECT_EQ(ValueOf(plan[3], "--threads"), "4");
  EXPECT_EQ(ValueOf(plan[3], "--data_dir"), "/data");
}

TEST(ClusterPlanTest, CoresAreShared) {
  EXPECT_EQ(WorkerThreads(8, 3), 2);
  EXPECT_EQ(WorkerThreads(2, 2), 1);
  EXPECT_EQ(WorkerThreads(2, 5), 1);
}

}  // namespace
}  // namespace tenor

// How long a run stands still when one of its processes is killed.
//   recovery worker|server [--tiny]
// A process is killed in the middle of a step and started again, ten times; measured is the time
// from the kill to the next committed step.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "base/check.h"
#include "tests/process/cluster.h"

namespace tenor {
namespace {

constexpr int kKills = 10;
constexpr int64_t kWarmUpSteps = 5;

struct Measured {
  std::vector<double> seconds;  // kill to committed step
  double step_seconds = 0;      // median of undisturbed steps
  double reload_seconds = 0;    // worst start of all servers until the first step
};

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

JobOptions Job() {
  return {.name = "recovery",
          .updates = 1000000,
          .accumulation_steps = 150,
          .checkpoint_every = 5,
          .keep_checkpoints = 2};
}

// So many steps that both workers take part in, none of them disturbed.
void CalmDown(Cluster& cluster) {
  const size_t before = cluster.log().Steps().size();
  CHECK(cluster.WaitForMembers(2, before)) << cluster.Logs();
  const int64_t step = cluster.log().Steps().back().step;
  CHECK(cluster.WaitForStep(step + kWarmUpSteps)) << cluster.Logs();
}

double StepSeconds(Cluster& cluster) {
  CalmDown(cluster);
  std::vector<double> seconds;
  const std::vector<StepLine>& steps = cluster.log().Steps();
  for (size_t i = steps.size() - kWarmUpSteps; i < steps.size(); ++i) {
    seconds.push_back(steps[i].seconds);
  }
  return Median(seconds);
}

// The next step that is applied, counted from `since`; of a newer lineage where `lineage` says so.
double SecondsToNextStep(Cluster& cluster, absl::Duration since, int64_t lineage) {
  const size_t before = cluster.log().Steps().size();
  const StepLine* found = nullptr;
  const auto committed = [&] {
    const std::vector<StepLine>& steps = cluster.log().Steps();
    for (size_t i = before; i < steps.size() && found == nullptr; ++i) {
      const bool counts = steps[i].verdict == "applied" && steps[i].lineage >= lineage;
      if (counts) found = &steps[i];
    }
    return found != nullptr;
  };
  CHECK(cluster.WaitUntil(committed)) << cluster.Logs();
  return absl::ToDoubleSeconds(found->seen - since);
}

// A new round has begun, so that the kill hits its middle.
void WaitForNewRound(Cluster& cluster) {
  CHECK(cluster.WaitForStep(cluster.log().Steps().back().step + 1)) << cluster.Logs();
}

double KillWorker(Cluster& cluster, int index) {
  WaitForNewRound(cluster);
  const absl::Duration killed_at = MonotonicNow();
  cluster.worker(index).Kill();
  const double seconds = SecondsToNextStep(cluster, killed_at, 0);
  cluster.StartWorker(index);
  return seconds;
}

double KillServer(Cluster& cluster, int index) {
  WaitForNewRound(cluster);
  const int64_t lineage = cluster.log().Steps().back().lineage;
  const absl::Duration killed_at = MonotonicNow();
  cluster.server(index).Kill();
  cluster.StartServer(index);
  return SecondsToNextStep(cluster, killed_at, lineage + 1);
}

// The whole run starts from its checkpoint: processes, data, model, parameters, one step.
double Reload(Cluster& cluster) {
  cluster.KillAll();
  const int64_t lineage = cluster.log().Steps().back().lineage;
  const absl::Duration started_at = MonotonicNow();
  cluster.Start(2);
  return SecondsToNextStep(cluster, started_at, lineage + 1);
}

Measured Measure(bool servers, int kills, const std::string& folder) {
  Cluster cluster(folder, /*servers=*/2, Job());
  cluster.Start(/*workers=*/2);
  Measured measured;
  measured.step_seconds = StepSeconds(cluster);
  CHECK(cluster.WaitForEvent("checkpoint")) << cluster.Logs();
  for (int i = 0; i < kills; ++i) {
    measured.seconds.push_back(servers ? KillServer(cluster, i % 2) : KillWorker(cluster, i % 2));
    CalmDown(cluster);
  }
  if (servers) measured.reload_seconds = Reload(cluster);
  return measured;
}

int Main(int argc, char** argv) {
  const std::string role = argc > 1 ? argv[1] : "";
  const bool tiny = argc > 2 && std::string(argv[2]) == "--tiny";
  if ((role != "worker" && role != "server") || argc > (tiny ? 3 : 2)) {
    std::fprintf(stderr, "usage: recovery worker|server [--tiny]\n");
    return 2;
  }
  const bool servers = role == "server";
  const std::string folder =
      std::filesystem::temp_directory_path() / absl::StrCat("tenor-recovery-", getpid());
  const Measured measured = Measure(servers, tiny ? 1 : kKills, folder);
  std::filesystem::remove_all(folder);

  const double worst = *std::max_element(measured.seconds.begin(), measured.seconds.end());
  const double bar = servers ? 10 + measured.reload_seconds : measured.step_seconds + 1.5;
  for (double seconds : measured.seconds) {
    std::printf("a %s killed: %.3f s to the next step\n", role.c_str(), seconds);
  }
  std::printf(
      "{\"name\": \"recovery-%s\", \"value\": %.3f, \"unit\": \"s, worst\", \"bar\": %.3f, "
      "\"ceiling\": null, \"details\": {\"kills\": %zu, \"median_seconds\": %.3f, "
      "\"step_seconds\": %.3f, \"reload_seconds\": %.3f}}\n",
      role.c_str(), worst, bar, measured.seconds.size(), Median(measured.seconds),
      measured.step_seconds, measured.reload_seconds);
  return tiny || worst < bar ? 0 : 1;
}

}  // namespace
}  // namespace tenor

int main(int argc, char** argv) { return tenor::Main(argc, argv); }

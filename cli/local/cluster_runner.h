#ifndef TENOR_CLI_LOCAL_CLUSTER_RUNNER_H_
#define TENOR_CLI_LOCAL_CLUSTER_RUNNER_H_

#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/file_descriptor.h"
#include "base/signal_watcher.h"
#include "cli/command_context.h"
#include "cli/local/child_process.h"
#include "cli/local/cluster_plan.h"
#include "cli/local/metrics_tail.h"
#include "cli/local/run_progress.h"
#include "cli/local/supervisor.h"
#include "cli/progress_line.h"

namespace tenor {

// Carries out what a Supervisor decides: starts and ends programs, reads the run's metrics, shows
// progress on err. Single-threaded but for the signals.
class ClusterRunner {
 public:
  // `context` is borrowed. Takes SIGINT and SIGTERM of the process; called before other threads
  // start. Errors are the kernel's.
  static absl::StatusOr<std::unique_ptr<ClusterRunner>> Create(
      CommandContext& context, std::vector<PlannedProcess> processes, int servers,
      const std::string& run_dir, const spec::StopSpec& stop);

  // Until nothing runs any more. An error is that a program cannot be started.
  absl::StatusOr<Supervisor::Outcome> Run();

  const RunProgress& progress() const { return progress_; }

 private:
  ClusterRunner(CommandContext& context, std::vector<PlannedProcess> processes, int servers,
                const std::string& run_dir, const spec::StopSpec& stop, FileDescriptor wake);

  absl::Status CarryOut(const std::vector<Supervisor::Action>& actions);
  absl::Status Start(int process);
  void Say(const std::string& text);
  void ShowLog(int process);
  // Until a program ends, a signal comes or it is time to look at the metrics.
  void Wait();
  absl::Status Turn();
  absl::Status ReapEnded();
  absl::Status ReadMetrics();

  CommandContext& context_;
  const std::vector<PlannedProcess> planned_;
  Supervisor supervisor_;
  MetricsTail metrics_;
  RunProgress progress_;
  ProgressLine line_;
  FileDescriptor wake_;  // eventfd, written by the signal watcher
  std::atomic<int> stops_asked_ = 0;
  int stops_seen_ = 0;
  std::map<int, ChildProcess> children_;
  std::unique_ptr<SignalWatcher> signals_;  // ends first: it uses the two above
};

}  // namespace tenor

#endif  // TENOR_CLI_LOCAL_CLUSTER_RUNNER_H_

#ifndef TENOR_CLI_LOCAL_SUPERVISOR_H_
#define TENOR_CLI_LOCAL_SUPERVISOR_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "cli/local/child_process.h"

namespace tenor {

// Which processes of a cluster on this machine are to run: a deterministic state machine without
// clock, process or file. `now` is any monotonic time. Single-threaded.
//
//   - A process that dies (a signal, or exit 1) is started again after 0.2 s, doubled up to 5 s;
//     a step made meanwhile counts all deaths as forgotten.
//   - One that dies kMaxDeaths times without a step between fails the cluster with exit 1.
//   - Exit 2, 3 and 4 say that starting again changes nothing: they fail the cluster with that
//   code.
//   - A server that exits 0 says that the run has ended: nothing is started again, and what still
//     runs after kLinger is asked to end.
//   - The first stop asks the servers to save and end; the second kills everything.
//   - What was asked to end and has not, is killed: after kStopLimit where it saves, else
//   kKillAfter.
class Supervisor {
 public:
  static constexpr absl::Duration kFirstBackoff = absl::Milliseconds(200);
  static constexpr absl::Duration kMaxBackoff = absl::Seconds(5);
  static constexpr int kMaxDeaths = 8;
  static constexpr absl::Duration kLinger = absl::Seconds(15);
  static constexpr absl::Duration kKillAfter = absl::Seconds(10);
  // More than the servers' own --drain_timeout of 60 s.
  static constexpr absl::Duration kStopLimit = absl::Seconds(75);

  struct Action {
    enum class Kind { kStart, kSignal, kShowLog, kSay };
    Kind kind = Kind::kSay;
    int process = 0;   // servers first, then workers
    int signal = 0;    // of kSignal
    std::string text;  // of kSay, one line
    bool operator==(const Action&) const = default;
  };

  struct Outcome {
    int code = 0;
    std::string reason;  // one line; empty for a run that ended by itself
  };

  // REQUIRES: servers >= 1, workers >= 1.
  Supervisor(int servers, int workers);

  // Starts all.
  std::vector<Action> Begin();
  std::vector<Action> OnExit(absl::Duration now, int process, const ProcessExit& exit);
  // The newest step that was made.
  void OnStep(int64_t step);
  // Ctrl-C or SIGTERM.
  std::vector<Action> OnStop(absl::Duration now);
  // Every second or more often.
  std::vector<Action> OnTick(absl::Duration now);

  // Set once nothing runs any more and nothing will.
  std::optional<Outcome> outcome() const;

  // "server 0", "worker 2".
  std::string NameOf(int process) const;

 private:
  enum class Phase { kRunning, kEnding, kStopping, kFailing };

  struct Process {
    bool runs = false;
    std::optional<absl::Duration> restart_at;
    int deaths = 0;  // since the last step
  };

  using Actions = std::vector<Action>;

  bool IsServer(int process) const { return process < servers_; }
  void Restart(absl::Duration now, int process, const ProcessExit& exit, Actions* actions);
  void Fail(absl::Duration now, int code, std::string reason, Actions* actions);
  // To all that run, and only to servers if so asked.
  void SignalAll(int signal, bool only_servers, Actions* actions);
  void CancelRestarts();

  const int servers_;
  std::vector<Process> processes_;
  Phase phase_ = Phase::kRunning;
  std::optional<absl::Duration> ask_at_;   // SIGTERM to what runs
  std::optional<absl::Duration> kill_at_;  // SIGKILL to what runs
  int64_t newest_step_ = -1;
  Outcome outcome_;
};

}  // namespace tenor

#endif  // TENOR_CLI_LOCAL_SUPERVISOR_H_

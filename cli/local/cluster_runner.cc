#include "cli/local/cluster_runner.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/errno_status.h"
#include "base/path.h"
#include "base/status.h"
#include "cli/printable.h"

namespace tenor {
namespace {

constexpr int kTurnMilliseconds = 200;
constexpr int kLogLines = 20;

}  // namespace

absl::StatusOr<std::unique_ptr<ClusterRunner>> ClusterRunner::Create(
    CommandContext& context, std::vector<PlannedProcess> processes, int servers,
    const std::string& run_dir, const spec::StopSpec& stop) {
  FileDescriptor wake(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!wake.valid()) return ErrnoStatus(errno, "cannot make", "an eventfd");
  std::unique_ptr<ClusterRunner> runner(
      new ClusterRunner(context, std::move(processes), servers, run_dir, stop, std::move(wake)));
  TENOR_RETURN_IF_ERROR(runner->metrics_.SkipToEnd());
  ClusterRunner* const target = runner.get();
  TENOR_ASSIGN_OR_RETURN(runner->signals_, SignalWatcher::Start([target](int) {
                           ++target->stops_asked_;
                           const uint64_t one = 1;
                           // Fails only where the counter is full: then the loop is awake already.
                           [[maybe_unused]] const ssize_t written =
                               write(target->wake_.get(), &one, sizeof(one));
                         }));
  return runner;
}

ClusterRunner::ClusterRunner(CommandContext& context, std::vector<PlannedProcess> processes,
                             int servers, const std::string& run_dir, const spec::StopSpec& stop,
                             FileDescriptor wake)
    : context_(context),
      planned_(std::move(processes)),
      supervisor_(servers, static_cast<int>(planned_.size()) - servers),
      metrics_(context.files, JoinPath(run_dir, "metrics.jsonl")),
      progress_(stop),
      line_(context.terminal.err, context.terminal.err_is_terminal, context.terminal.columns),
      wake_(std::move(wake)) {}

absl::StatusOr<Supervisor::Outcome> ClusterRunner::Run() {
  TENOR_RETURN_IF_ERROR(CarryOut(supervisor_.Begin()));
  while (!supervisor_.outcome()) {
    Wait();
    TENOR_RETURN_IF_ERROR(Turn());
  }
  TENOR_RETURN_IF_ERROR(ReadMetrics());
  line_.Clear();
  return *supervisor_.outcome();
}

void ClusterRunner::Wait() {
  std::vector<pollfd> watched = {{.fd = wake_.get(), .events = POLLIN, .revents = 0}};
  for (const auto& [process, child] : children_) {
    watched.push_back({.fd = child.exit_descriptor(), .events = POLLIN, .revents = 0});
  }
  poll(watched.data(), watched.size(), kTurnMilliseconds);
  uint64_t count = 0;
  [[maybe_unused]] const ssize_t drained = read(wake_.get(), &count, sizeof(count));
}

absl::Status ClusterRunner::Turn() {
  TENOR_RETURN_IF_ERROR(ReadMetrics());
  TENOR_RETURN_IF_ERROR(ReapEnded());
  for (; stops_seen_ < stops_asked_; ++stops_seen_) {
    TENOR_RETURN_IF_ERROR(CarryOut(supervisor_.OnStop(context_.clock.Now())));
  }
  TENOR_RETURN_IF_ERROR(CarryOut(supervisor_.OnTick(context_.clock.Now())));
  line_.Show(context_.clock.Now(), progress_.Text());
  return absl::OkStatus();
}

absl::Status ClusterRunner::ReapEnded() {
  for (auto child = children_.begin(); child != children_.end();) {
    const int process = child->first;
    const std::optional<ProcessExit> exit = child->second.Poll();
    if (!exit) {
      ++child;
      continue;
    }
    children_.erase(child);
    TENOR_RETURN_IF_ERROR(CarryOut(supervisor_.OnExit(context_.clock.Now(), process, *exit)));
    // The actions may have changed the table.
    child = children_.upper_bound(process);
  }
  return absl::OkStatus();
}

absl::Status ClusterRunner::ReadMetrics() {
  TENOR_ASSIGN_OR_RETURN(const std::vector<StepSample> samples, metrics_.Poll());
  for (const StepSample& sample : samples) progress_.Add(sample);
  supervisor_.OnStep(progress_.step());
  return absl::OkStatus();
}

absl::Status ClusterRunner::CarryOut(const std::vector<Supervisor::Action>& actions) {
  for (const Supervisor::Action& action : actions) {
    switch (action.kind) {
      case Supervisor::Action::Kind::kStart:
        TENOR_RETURN_IF_ERROR(Start(action.process));
        break;
      case Supervisor::Action::Kind::kSignal:
        if (const auto found = children_.find(action.process); found != children_.end()) {
          found->second.Signal(action.signal);
        }
        break;
      case Supervisor::Action::Kind::kShowLog:
        ShowLog(action.process);
        break;
      case Supervisor::Action::Kind::kSay:
        Say(action.text);
        break;
    }
  }
  return absl::OkStatus();
}

absl::Status ClusterRunner::Start(int process) {
  const PlannedProcess& planned = planned_[static_cast<size_t>(process)];
  TENOR_ASSIGN_OR_RETURN(ChildProcess child,
                         ChildProcess::Start({.program = planned.program,
                                              .arguments = planned.arguments,
                                              .log_path = planned.log_path,
                                              .signal_mask = signals_->previous_mask()}));
  children_.emplace(process, std::move(child));
  return absl::OkStatus();
}

void ClusterRunner::Say(const std::string& text) {
  line_.Clear();
  context_.terminal.err << text << "\n" << std::flush;
}

void ClusterRunner::ShowLog(int process) {
  const std::string& path = planned_[static_cast<size_t>(process)].log_path;
  const absl::StatusOr<std::string> lines = LastLines(context_.files, path, kLogLines);
  Say(absl::StrCat("last lines of ", supervisor_.NameOf(process), " (", path, "):"));
  if (!lines.ok()) return Say(absl::StrCat("  ", lines.status().message()));
  for (absl::string_view line : absl::StrSplit(*lines, '\n', absl::SkipEmpty())) {
    Say(absl::StrCat("  ", Printable(line)));
  }
}

}  // namespace tenor

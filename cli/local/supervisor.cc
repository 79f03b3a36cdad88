#include "cli/local/supervisor.h"

#include <algorithm>
#include <csignal>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "cli/exit_code.h"

namespace tenor {
namespace {

using Action = Supervisor::Action;

Action StartOf(int process) { return {.kind = Action::Kind::kStart, .process = process}; }
Action LogOf(int process) { return {.kind = Action::Kind::kShowLog, .process = process}; }
Action Say(std::string text) { return {.kind = Action::Kind::kSay, .text = std::move(text)}; }

// Starting again would change nothing.
bool IsFinal(const ProcessExit& exit) {
  return exit.signal == 0 && (exit.code == kExitBadInput || exit.code == kExitRefused ||
                              exit.code == kExitStartDeadline);
}

absl::Duration Backoff(int deaths) {
  absl::Duration wait = Supervisor::kFirstBackoff;
  for (int i = 1; i < deaths && wait < Supervisor::kMaxBackoff; ++i) wait *= 2;
  return std::min(wait, Supervisor::kMaxBackoff);
}

}  // namespace

Supervisor::Supervisor(int servers, int workers)
    : servers_(servers), processes_(static_cast<size_t>(servers + workers)) {}

std::string Supervisor::NameOf(int process) const {
  return IsServer(process) ? absl::StrCat("server ", process)
                           : absl::StrCat("worker ", process - servers_);
}

std::vector<Action> Supervisor::Begin() {
  Actions actions;
  for (size_t i = 0; i < processes_.size(); ++i) {
    processes_[i].runs = true;
    actions.push_back(StartOf(static_cast<int>(i)));
  }
  return actions;
}

std::vector<Action> Supervisor::OnExit(absl::Duration now, int process, const ProcessExit& exit) {
  Actions actions;
  processes_[static_cast<size_t>(process)].runs = false;
  const bool is_clean = exit == ProcessExit{};
  if (phase_ == Phase::kRunning) {
    if (is_clean && IsServer(process)) {
      phase_ = Phase::kEnding;
      ask_at_ = now + kLinger;
      CancelRestarts();
    } else if (IsFinal(exit)) {
      actions.push_back(LogOf(process));
      Fail(now, exit.code, absl::StrCat(NameOf(process), " ended with ", DescribeExit(exit)),
           &actions);
    } else if (!is_clean) {
      Restart(now, process, exit, &actions);
    }
  } else if (phase_ == Phase::kStopping && !is_clean && IsServer(process) &&
             outcome_.code == kExitDone) {
    actions.push_back(LogOf(process));
    outcome_ = {kExitFailure, absl::StrCat(NameOf(process), " ended with ", DescribeExit(exit),
                                           " while it was to save; the newest checkpoint may be "
                                           "older")};
  }
  return actions;
}

void Supervisor::Restart(absl::Duration now, int process, const ProcessExit& exit,
                         Actions* actions) {
  Process& dead = processes_[static_cast<size_t>(process)];
  ++dead.deaths;
  actions->push_back(LogOf(process));
  if (dead.deaths >= kMaxDeaths) {
    Fail(now, kExitFailure,
         absl::StrCat(NameOf(process), " died ", dead.deaths,
                      " times without a step in between, the last time by ", DescribeExit(exit)),
         actions);
    return;
  }
  const absl::Duration wait = Backoff(dead.deaths);
  dead.restart_at = now + wait;
  actions->push_back(
      Say(absl::StrFormat("%s ended with %s; it is started again in %.1f s", NameOf(process),
                          DescribeExit(exit), absl::ToDoubleSeconds(wait))));
}

void Supervisor::Fail(absl::Duration now, int code, std::string reason, Actions* actions) {
  phase_ = Phase::kFailing;
  outcome_ = {code, std::move(reason)};
  CancelRestarts();
  SignalAll(SIGTERM, /*only_servers=*/false, actions);
  ask_at_.reset();
  kill_at_ = now + kKillAfter;
}

void Supervisor::OnStep(int64_t step) {
  if (step <= newest_step_) return;
  newest_step_ = step;
  for (Process& process : processes_) process.deaths = 0;
}

std::vector<Action> Supervisor::OnStop(absl::Duration now) {
  Actions actions;
  if (phase_ == Phase::kStopping || phase_ == Phase::kFailing) {
    SignalAll(SIGKILL, /*only_servers=*/false, &actions);
    if (outcome_.code == kExitDone) {
      outcome_ = {kExitFailure, "killed by the second signal, before the checkpoint was saved"};
    }
    return actions;
  }
  phase_ = Phase::kStopping;
  outcome_.reason = "stopped";
  CancelRestarts();
  actions.push_back(Say("saving a checkpoint and stopping; a second signal kills at once"));
  SignalAll(SIGTERM, /*only_servers=*/true, &actions);
  kill_at_ = now + kStopLimit;
  return actions;
}

std::vector<Action> Supervisor::OnTick(absl::Duration now) {
  Actions actions;
  for (size_t i = 0; i < processes_.size(); ++i) {
    Process& process = processes_[i];
    if (!process.restart_at || now < *process.restart_at) continue;
    process.restart_at.reset();
    process.runs = true;
    actions.push_back(StartOf(static_cast<int>(i)));
  }
  // A worker whose last message was lost would look for its servers for ever.
  const bool servers_run = std::any_of(processes_.begin(), processes_.begin() + servers_,
                                       [](const Process& process) { return process.runs; });
  if (phase_ == Phase::kStopping && !servers_run && !ask_at_) ask_at_ = now + kLinger;
  if (ask_at_ && now >= *ask_at_) {
    SignalAll(SIGTERM, /*only_servers=*/false, &actions);
    ask_at_ = absl::InfiniteDuration();
    kill_at_ = now + kKillAfter;
  }
  if (kill_at_ && now >= *kill_at_) {
    SignalAll(SIGKILL, /*only_servers=*/false, &actions);
    kill_at_.reset();
  }
  return actions;
}

std::optional<Supervisor::Outcome> Supervisor::outcome() const {
  for (const Process& process : processes_) {
    if (process.runs || process.restart_at) return std::nullopt;
  }
  return outcome_;
}

void Supervisor::SignalAll(int signal, bool only_servers, Actions* actions) {
  const size_t end = only_servers ? static_cast<size_t>(servers_) : processes_.size();
  for (size_t i = 0; i < end; ++i) {
    if (!processes_[i].runs) continue;
    actions->push_back(
        {.kind = Action::Kind::kSignal, .process = static_cast<int>(i), .signal = signal});
  }
}

void Supervisor::CancelRestarts() {
  for (Process& process : processes_) process.restart_at.reset();
}

}  // namespace tenor

// tenor-server: flags, the run folder, signals; the rest is server_process.h.
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <variant>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/time.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/posix_file_system.h"
#include "base/process.h"
#include "base/resource_limits.h"
#include "base/status.h"
#include "proto/job_identity.h"
#include "proto/parse.h"
#include "server/memory_plan.h"
#include "server/net/coordinator_client.h"
#include "server/server_flags.h"
#include "server/server_process.h"

namespace tenor {
namespace {

constexpr int kFailure = 1;
constexpr int kBadInput = 2;
constexpr int kInUse = 3;
constexpr int kStartDeadline = 4;

uint64_t DrawRandom() {
  std::random_device device;
  return (uint64_t{device()} << 32) | device();
}

// SIGTERM and SIGINT are taken by Wait alone, on every thread of the process.
class Signals {
 public:
  Signals() {
    sigemptyset(&set_);
    sigaddset(&set_, SIGTERM);
    sigaddset(&set_, SIGINT);
    pthread_sigmask(SIG_BLOCK, &set_, nullptr);
    // A peer that goes away is an error of the call, not of the process.
    signal(SIGPIPE, SIG_IGN);
  }
  // Whether a signal came within `timeout`.
  bool Wait(absl::Duration timeout) const {
    const timespec limit = absl::ToTimespec(timeout);
    return sigtimedwait(&set_, nullptr, &limit) > 0;
  }

 private:
  sigset_t set_;
};

int ExitCodeOf(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kInvalidArgument:
      return kBadInput;
    case absl::StatusCode::kAlreadyExists:
    case absl::StatusCode::kFailedPrecondition:
      return kInUse;
    case absl::StatusCode::kDeadlineExceeded:
      return kStartDeadline;
    default:
      return kFailure;
  }
}

absl::StatusOr<spec::JobSpec> ReadJob(FileSystem& files, const std::string& path) {
  const absl::StatusOr<std::string> text = files.ReadFile(path);
  if (!text.ok()) return absl::InvalidArgumentError(text.status().message());
  return ParseJobSpec(*text, path);
}

// A coordinator that lives already, at the address that this one will advertise or that the run
// folder names.
absl::Status CheckNoCoordinator(const ServerFlags& flags, FileSystem& files) {
  std::string address = flags.servers.front();
  TENOR_ASSIGN_OR_RETURN(const HostPort listed, ParseHostPort(address));
  if (listed.port == 0) {
    const absl::StatusOr<std::string> before = LookUpCoordinator(files, flags.run_dir);
    if (!before.ok()) return absl::OkStatus();
    address = *before;
  }
  const absl::StatusOr<std::string> run = AskCoordinator(address, absl::Milliseconds(500));
  if (!run.ok() || *run != flags.run_name) return absl::OkStatus();
  return absl::AlreadyExistsError(absl::StrCat("a coordinator of run ", *run, " answers at ",
                                               address,
                                               ": end it first, or wait until it is gone"));
}

// Server 0 begins the run, the others wait until it has.
absl::StatusOr<RunIdentity> OpenRun(const ServerFlags& flags, const spec::JobSpec& job,
                                    const Clock& clock, FileSystem& files, const Signals& signals) {
  if (flags.index == 0) {
    TENOR_RETURN_IF_ERROR(CheckNoCoordinator(flags, files));
    return BeginRun(files, flags.run_dir, job, absl::StrFormat("%016x\n", DrawRandom()));
  }
  for (bool told = false;; told = true) {
    absl::StatusOr<RunIdentity> identity = JoinRun(files, flags.run_dir, job);
    if (!absl::IsNotFound(identity.status())) return identity;
    if (!told) LOG(INFO) << "waits until server 0 has begun the run in " << flags.run_dir;
    if (signals.Wait(absl::Milliseconds(100))) return absl::CancelledError("told to end");
    if (flags.start_deadline != absl::ZeroDuration() && clock.Now() > flags.start_deadline) {
      return absl::DeadlineExceededError(
          absl::StrCat("server 0 has not begun the run in ", flags.run_dir, " within ",
                       absl::FormatDuration(flags.start_deadline),
                       " (start_deadline): start it, and give all servers the same --run_dir"));
    }
  }
}

absl::Status CheckMemory(const ServerFlags& flags, const spec::JobSpec& job) {
  TENOR_ASSIGN_OR_RETURN(const ParameterSpace space, MakeParameterSpace(job));
  const MemoryPlan plan = PlanMemory(space, flags.index, static_cast<int32_t>(flags.servers.size()),
                                     job.tunables().min_workers(), flags.push_credit_bytes);
  LOG(INFO) << DescribePlan(plan);
  return CheckPlan(plan, UsableMemory(ReadKernelFile));
}

ServerExit RunUntilEnd(ServerProcess& process, const ServerFlags& flags, const Clock& clock,
                       const Signals& signals) {
  std::optional<absl::Duration> draining_since;
  while (true) {
    if (std::optional<ServerExit> end = process.Turn()) return *end;
    if (draining_since && clock.Now() - *draining_since > flags.drain_timeout) {
      return {kFailure,
              absl::StrCat("no checkpoint within ", absl::FormatDuration(flags.drain_timeout),
                           " (drain_timeout): what came after the last one is lost")};
    }
    if (!signals.Wait(absl::Milliseconds(100))) continue;
    if (draining_since) {
      LOG(ERROR) << "second signal: leaves at once";
      // Without waiting for threads: one may hang in a file system.
      _exit(kFailure);
    }
    LOG(INFO) << "told to end: saves a checkpoint first; a second signal ends at once";
    draining_since = clock.Now();
    process.Drain();
  }
}

absl::StatusOr<ServerExit> Serve(ServerFlags flags, const Clock& clock, FileSystem& files,
                                 const Signals& signals) {
  TENOR_ASSIGN_OR_RETURN(spec::JobSpec job, ReadJob(files, flags.job));
  if (flags.run_name.empty()) flags.run_name = job.name();
  TENOR_RETURN_IF_ERROR(CheckMemory(flags, job));
  const absl::StatusOr<HostPort> bind = ParseHostPort(flags.bind);
  if (bind.ok() && !IsLoopback(bind->host)) {
    LOG(WARNING) << "listens on " << flags.bind << " without TLS: anyone who reaches it can train";
  }
  if (const absl::StatusOr<uint64_t> open_files = RaiseOpenFilesLimit(); !open_files.ok()) {
    LOG(WARNING) << open_files.status().message();
  }
  TENOR_ASSIGN_OR_RETURN(RunIdentity identity, OpenRun(flags, job, clock, files, signals));
  ServerProcess::Inputs inputs;
  inputs.job_hash = JobHash(job);
  inputs.job = std::move(job);
  inputs.identity = std::move(identity);
  inputs.process.value = DrawRandom();
  inputs.threads = flags.threads > 0 ? flags.threads : UsableCores();
  inputs.pid = getpid();
  inputs.flags = flags;
  TENOR_ASSIGN_OR_RETURN(const std::unique_ptr<ServerProcess> process,
                         ServerProcess::Start(std::move(inputs), clock, files));
  return RunUntilEnd(*process, flags, clock, signals);
}

int Main(int argc, char** argv) {
  const auto parsed = ParseServerFlags(argc, argv);
  if (!parsed.ok()) {
    std::fprintf(stderr, "tenor-server: %s\n", std::string(parsed.status().message()).c_str());
    return kBadInput;
  }
  if (const auto* print = std::get_if<PrintAndExit>(&*parsed)) {
    std::fputs(print->text.c_str(), stdout);
    return 0;
  }
  const ServerFlags& flags = std::get<ServerFlags>(*parsed);
  const Signals signals;
  const RealClock clock;
  LogSink log({absl::StrCat("server", flags.index), flags.log_format, flags.log_level}, clock);
  SetLogSink(&log);
  PosixFileSystem files;
  const absl::StatusOr<ServerExit> end = Serve(flags, clock, files, signals);
  int code = 0;
  if (!end.ok()) {
    LOG(ERROR) << end.status().message();
    code = ExitCodeOf(end.status());
  } else {
    code = end->code;
    if (code == 0) {
      LOG(INFO) << "ends: " << end->sentence;
    } else {
      LOG(ERROR) << "ends: " << end->sentence;
    }
  }
  SetLogSink(nullptr);
  return code;
}

}  // namespace
}  // namespace tenor

int main(int argc, char** argv) { return tenor::Main(argc, argv); }

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/file_operations.h"
#include "base/lock_file.h"
#include "base/path.h"
#include "base/status.h"
#include "cli/commands/commands.h"
#include "cli/commands/run_checkpoint.h"
#include "cli/exit_code.h"
#include "cli/local/cluster_plan.h"
#include "cli/local/cluster_runner.h"
#include "cli/local/local_job.h"
#include "cli/local/port_reservation.h"
#include "proto/parse.h"
#include "server/runner/run_paths.h"

namespace tenor {
namespace {

constexpr int64_t kMaxProcesses = 256;

absl::Status CheckRange(const char* flag, int64_t value, int64_t least, int64_t most) {
  if (value >= least && value <= most) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(flag, " is ", value, "; allowed are ", least, " to ", most));
}

// Beside this program where all are installed in one folder, else in the folders of a build.
absl::StatusOr<std::string> FindProgram(CommandContext& context, const std::string& bin_dir,
                                        const std::string& room, const std::string& name) {
  std::vector<std::string> places;
  if (!bin_dir.empty()) {
    places = {JoinPath(bin_dir, name)};
  } else {
    places = {JoinPath(context.program_folder, name),
              JoinPath(context.program_folder, absl::StrCat("../", room, "/", name))};
  }
  for (const std::string& place : places) {
    TENOR_ASSIGN_OR_RETURN(const bool there, context.files.Exists(place));
    if (there) return place;
  }
  return absl::NotFoundError(
      absl::StrCat("program ", places.back(), " is not there; say where it is with --bin_dir"));
}

class Local : public Command {
 public:
  void Declare(CommandSyntax& syntax) override {
    syntax.Argument("JOB", &job_path_, "a JobSpec whose data.text.path names a data set");
    syntax.Option("servers", &servers_, "parameter servers");
    syntax.Option("workers", &workers_, "workers");
    syntax.Option("run_dir", &run_dir_, "folder of the run; default ./tenor-runs/NAME");
    syntax.Option("data_dir", &data_dir_, "the data set's folder, instead of the job's path");
    syntax.Option("server_threads", &server_threads_, "of each server");
    syntax.Option("worker_threads", &worker_threads_, "of each worker; 0 = cores / workers");
    syntax.Option("bin_dir", &bin_dir_, "where tenor-server and tenor-worker lie");
  }

  absl::Status Run(CommandContext& context) override {
    TENOR_RETURN_IF_ERROR(CheckRange("--servers", servers_, 1, kMaxProcesses));
    TENOR_RETURN_IF_ERROR(CheckRange("--workers", workers_, 1, kMaxProcesses));
    TENOR_RETURN_IF_ERROR(CheckRange("--server_threads", server_threads_, 1, 1024));
    TENOR_RETURN_IF_ERROR(CheckRange("--worker_threads", worker_threads_, 0, 1024));
    TENOR_ASSIGN_OR_RETURN(const LocalJob job, LoadLocalJob(context.files, job_path_, data_dir_));
    ClusterOptions options;
    TENOR_RETURN_IF_ERROR(FillOptions(context, job, &options));
    TENOR_RETURN_IF_ERROR(EnsureDirectory(context.files, JoinPath(options.run_dir, "logs")));
    // Held until the end: two clusters in one folder would fight over it.
    TENOR_ASSIGN_OR_RETURN(const std::unique_ptr<LockFile> lock, Lock(options.run_dir));
    TENOR_RETURN_IF_ERROR(ReplaceFile(context.files, options.job_path, PrintText(job.job)));
    std::vector<PortReservation> ports;
    for (int i = 0; i < options.servers; ++i) {
      TENOR_ASSIGN_OR_RETURN(PortReservation port, PortReservation::Take());
      options.ports.push_back(port.port());
      ports.push_back(std::move(port));
    }
    return RunCluster(context, job, options);
  }

 private:
  absl::Status FillOptions(CommandContext& context, const LocalJob& job,
                           ClusterOptions* options) const {
    options->servers = static_cast<int>(servers_);
    options->workers = static_cast<int>(workers_);
    options->server_threads = static_cast<int>(server_threads_);
    options->worker_threads = worker_threads_ > 0 ? static_cast<int>(worker_threads_)
                                                  : WorkerThreads(context.cores, options->workers);
    options->run_name = job.job.name();
    options->run_dir = run_dir_.empty() ? absl::StrCat("tenor-runs/", job.job.name()) : run_dir_;
    options->job_path = JoinPath(options->run_dir, "job-to-run.textproto");
    options->data_folder = job.data_folder;
    TENOR_ASSIGN_OR_RETURN(options->server_program,
                           FindProgram(context, bin_dir_, "server", "tenor-server"));
    TENOR_ASSIGN_OR_RETURN(options->worker_program,
                           FindProgram(context, bin_dir_, "worker", "tenor-worker"));
    return absl::OkStatus();
  }

  static absl::StatusOr<std::unique_ptr<LockFile>> Lock(const std::string& run_dir) {
    absl::StatusOr<std::unique_ptr<LockFile>> lock =
        LockFile::Acquire(JoinPath(run_dir, "local.lock"), "tenor local");
    if (!absl::IsAlreadyExists(lock.status())) return lock;
    return WithExitCode(absl::AlreadyExistsError(absl::StrCat(
                            "run folder ", run_dir, " is in use by another `tenor local`: ",
                            lock.status().message(), "; stop that one or give another --run_dir")),
                        kExitRefused);
  }

  static absl::Status RunCluster(CommandContext& context, const LocalJob& job,
                                 const ClusterOptions& options) {
    TENOR_ASSIGN_OR_RETURN(const std::unique_ptr<ClusterRunner> runner,
                           ClusterRunner::Create(context, PlanCluster(options), options.servers,
                                                 options.run_dir, job.job.stop()));
    context.terminal.err << "run " << options.run_name << " in " << options.run_dir << ": "
                         << options.servers << " servers, " << options.workers << " workers of "
                         << options.worker_threads << " threads; `tenor status --run "
                         << options.run_dir << "` shows more\n"
                         << std::flush;
    const absl::Duration start = context.clock.Now();
    TENOR_ASSIGN_OR_RETURN(const Supervisor::Outcome outcome, runner->Run());
    Summarise(context, options, *runner, outcome, context.clock.Now() - start);
    if (outcome.code == kExitDone) return absl::OkStatus();
    return WithExitCode(absl::UnknownError(absl::StrCat(outcome.reason, "; logs are in ",
                                                        JoinPath(options.run_dir, "logs"))),
                        outcome.code);
  }

  static std::string CheckpointText(const absl::StatusOr<RunCheckpoint>& newest) {
    if (!newest.ok()) return absl::StrCat("none: ", newest.status().message());
    const spec::Record& record = newest->manifest.record();
    const std::string name = CheckpointDirectoryName(newest->name);
    return record.ended() ? absl::StrCat(name, ", the job's end: ", record.end_reason()) : name;
  }

  static void Summarise(CommandContext& context, const ClusterOptions& options,
                        const ClusterRunner& runner, const Supervisor::Outcome& outcome,
                        absl::Duration elapsed) {
    context.terminal.out << (outcome.code != kExitDone ? "failed: "
                             : outcome.reason.empty()  ? "done: "
                                                       : "stopped: ")
                         << runner.progress().Summary(elapsed) << "\n";
    const absl::StatusOr<RunCheckpoint> newest = FindCheckpoint(context.files, options.run_dir, "");
    context.terminal.out << "checkpoint: " << CheckpointText(newest) << "\n";
  }

  std::string job_path_;
  int64_t servers_ = 1;
  int64_t workers_ = 2;
  std::string run_dir_;
  std::string data_dir_;
  int64_t server_threads_ = 1;
  int64_t worker_threads_ = 0;
  std::string bin_dir_;
};

}  // namespace

CommandEntry LocalCommand() {
  return {.name = "local",
          .summary = "a whole cluster on this machine; Ctrl-C saves a checkpoint and stops",
          .examples =
              "  tenor local job.textproto\n"
              "  tenor local job.textproto --servers 2 --workers 2 --run_dir /data/runs/first\n"
              "  tenor local job.textproto --data_dir data/fortunes    # again: goes on\n",
          .create = [] { return std::make_unique<Local>(); }};
}

}  // namespace tenor

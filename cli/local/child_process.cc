#include "cli/local/child_process.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/errno_status.h"
#include "base/status.h"

namespace tenor {
namespace {

constexpr int kCannotStart = 127;

// All that the child needs between fork and exec, where only calls that are safe in signal handlers
// are allowed.
struct ChildSetup {
  std::vector<char*> arguments;  // ends with null
  const sigset_t* signal_mask = nullptr;
  int null_input = -1;
  int log = -1;
  int report = -1;  // the cause of a failure is written here; closed by exec
  pid_t parent = 0;
};

[[noreturn]] void RunChild(const ChildSetup& start) {
  const bool ready = prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == start.parent &&
                     setpgid(0, 0) == 0 && dup2(start.null_input, STDIN_FILENO) >= 0 &&
                     dup2(start.log, STDOUT_FILENO) >= 0 && dup2(start.log, STDERR_FILENO) >= 0 &&
                     sigprocmask(SIG_SETMASK, start.signal_mask, nullptr) == 0;
  if (ready) execv(start.arguments[0], start.arguments.data());
  const int error = errno;
  if (write(start.report, &error, sizeof(error)) < 0) _exit(kCannotStart);
  _exit(kCannotStart);
}

struct Pipe {
  FileDescriptor read;
  FileDescriptor write;
};

absl::StatusOr<Pipe> MakePipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return ErrnoStatus(errno, "cannot make", "a pipe");
  return Pipe{FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

absl::StatusOr<FileDescriptor> OpenFile(const std::string& path, int flags) {
  FileDescriptor file(open(path.c_str(), flags | O_CLOEXEC, 0640));
  if (!file.valid()) return ErrnoStatus(errno, "cannot open", path);
  return file;
}

std::vector<char*> Pointers(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

// 0: exec succeeded and closed the pipe.
int ReadReport(int report) {
  int error = 0;
  ssize_t got = 0;
  do {
    got = read(report, &error, sizeof(error));
  } while (got < 0 && errno == EINTR);
  return got == sizeof(error) ? error : 0;
}

void Reap(int pid) {
  while (waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
  }
}

ProcessExit FromWaitStatus(int status) {
  if (WIFSIGNALED(status)) return {.signal = WTERMSIG(status)};
  return {.code = WEXITSTATUS(status)};
}

}  // namespace

std::string DescribeExit(const ProcessExit& exit) {
  if (exit.signal == 0) return absl::StrCat("exit code ", exit.code);
  return absl::StrCat("signal ", exit.signal, " (", strsignal(exit.signal), ")");
}

absl::StatusOr<ChildProcess> ChildProcess::Start(const Options& options) {
  std::vector<std::string> words = {options.program};
  words.insert(words.end(), options.arguments.begin(), options.arguments.end());
  TENOR_ASSIGN_OR_RETURN(const FileDescriptor input, OpenFile("/dev/null", O_RDONLY));
  TENOR_ASSIGN_OR_RETURN(const FileDescriptor log,
                         OpenFile(options.log_path, O_WRONLY | O_CREAT | O_APPEND));
  TENOR_ASSIGN_OR_RETURN(Pipe report, MakePipe());
  const ChildSetup start = {.arguments = Pointers(words),
                            .signal_mask = &options.signal_mask,
                            .null_input = input.get(),
                            .log = log.get(),
                            .report = report.write.get(),
                            .parent = getpid()};
  const pid_t pid = fork();
  if (pid < 0) return ErrnoStatus(errno, "cannot start", options.program);
  if (pid == 0) RunChild(start);
  report.write = FileDescriptor();
  const int error = ReadReport(report.read.get());
  FileDescriptor ended(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
  if (error != 0 || !ended.valid()) {
    const int cause = error != 0 ? error : errno;
    kill(pid, SIGKILL);
    Reap(pid);
    return ErrnoStatus(cause, "cannot start", options.program);
  }
  return ChildProcess(pid, std::move(ended));
}

ChildProcess::ChildProcess(int pid, FileDescriptor ended) : pid_(pid), ended_(std::move(ended)) {}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)), ended_(std::move(other.ended_)), exit_(other.exit_) {}

ChildProcess::~ChildProcess() {
  if (pid_ < 0 || exit_) return;
  kill(pid_, SIGKILL);
  Reap(pid_);
}

std::optional<ProcessExit> ChildProcess::Poll() {
  if (exit_) return exit_;
  int status = 0;
  if (waitpid(pid_, &status, WNOHANG) == pid_) exit_ = FromWaitStatus(status);
  return exit_;
}

void ChildProcess::Signal(int signal) {
  // A process that was not waited for keeps its number.
  if (!Poll()) kill(pid_, signal);
}

}  // namespace tenor

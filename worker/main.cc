// tenor-worker: computes gradients for the run of a coordinator.
#include <unistd.h>

#include <atomic>
#include <memory>
#include <random>
#include <string>

#include "base/clock.h"
#include "base/log.h"
#include "base/posix_file_system.h"
#include "base/signal_watcher.h"
#include "worker/flags.h"
#include "worker/net/grpc_ps_client.h"
#include "worker/worker_process.h"

namespace tenor {
namespace {

int Main(int argc, char** argv) {
  const ParsedFlags parsed = ParseWorkerFlags(argc, argv);
  if (parsed.exit_code) return *parsed.exit_code;
  const WorkerFlags& flags = parsed.flags;

  const RealClock clock;
  const std::string process = "worker" + std::to_string(flags.index.value_or(0));
  LogSink sink({.process = process, .format = flags.log_format, .level = flags.log_level}, clock);
  SetLogSink(&sink);

  std::atomic<bool> leaving = false;
  std::atomic<WorkerProcess*> worker = nullptr;
  auto signals = SignalWatcher::Start([&](int) {
    if (leaving.exchange(true)) _exit(1);
    LOG(INFO) << "asked to leave; a second signal ends the process at once";
    if (WorkerProcess* running = worker.load()) running->Leave();
  });
  if (!signals.ok()) {
    LOG(ERROR) << signals.status().message();
    return 1;
  }
  std::unique_ptr<PsClient> client = MakeGrpcPsClient(
      {.coordinator = flags.coordinator, .run_name = flags.run_name, .seed = std::random_device()()});
  PosixFileSystem files;
  int code = 0;
  {
    WorkerProcess process(flags, &clock, &files, client.get(), &leaving);
    worker.store(&process);
    code = process.Run();
    signals->reset();
  }
  SetLogSink(nullptr);
  return code;
}

}  // namespace
}  // namespace tenor

int main(int argc, char** argv) { return tenor::Main(argc, argv); }

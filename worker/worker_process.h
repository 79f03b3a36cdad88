#ifndef TENOR_WORKER_WORKER_PROCESS_H_
#define TENOR_WORKER_WORKER_PROCESS_H_

#include <atomic>
#include <functional>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/clock.h"
#include "base/file_system.h"
#include "base/http/http_server.h"
#include "data/text_reader.h"
#include "model/mlstm.h"
#include "ops/exec.h"
#include "worker/byte_trainer.h"
#include "worker/flags.h"
#include "worker/ps_client.h"
#include "worker/solo_group.h"
#include "worker/worker_loop.h"
#include "worker/worker_metrics.h"

namespace tenor {

// A worker from its flags to its end: reads the job from the coordinator, builds layout and model from
// it, checks its data, then runs the loop. Single-threaded but for Leave.
class WorkerProcess {
 public:
  // Borrowed: clock, files and client outlive it. `leaving` turns true on SIGTERM.
  WorkerProcess(WorkerFlags flags, const Clock* clock, FileSystem* files, PsClient* client,
                const std::atomic<bool>* leaving);

  // The exit code (docs/operations.md).
  int Run();

  // SIGTERM: leave at the round's end, or at once where no round runs yet. Thread-safe.
  void Leave();

 private:
  absl::Status Prepare();
  absl::StatusOr<spec::JobSpec> WaitForJob();
  absl::Status OpenData();
  absl::Status MakeModel();
  absl::Status PlanMemory() const;
  absl::Status StartLoop();
  absl::Status StartHttp();
  session::Config SessionConfig() const;

  const WorkerFlags flags_;
  const Clock* const clock_;
  FileSystem* const files_;
  PsClient* const client_;
  const std::atomic<bool>* const leaving_;

  std::string name_;
  spec::JobSpec job_;
  std::unique_ptr<TextDataSet> data_;
  std::unique_ptr<Exec> exec_;
  std::unique_ptr<Mlstm> model_;
  std::unique_ptr<SoloGroup> group_;
  std::unique_ptr<ByteTrainer> trainer_;
  std::unique_ptr<WorkerMetrics> metrics_;
  std::unique_ptr<WorkerLoop> loop_;
  std::atomic<WorkerLoop*> running_ = nullptr;
  std::unique_ptr<HttpServer> http_;  // first to go: its threads read the loop
};

}  // namespace tenor

#endif  // TENOR_WORKER_WORKER_PROCESS_H_

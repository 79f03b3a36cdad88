#ifndef TENOR_SERVER_RUNNER_COORDINATOR_RUNNER_H_
#define TENOR_SERVER_RUNNER_COORDINATOR_RUNNER_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/file_system.h"
#include "base/mutex.h"
#include "server/core/coordinator.h"
#include "server/runner/checkpoint_store.h"
#include "server/runner/event_loop.h"
#include "server/runner/journal.h"
#include "server/runner/lineage_claims.h"
#include "server/runner/operators.h"
#include "server/runner/services.h"
#include "server/runner/stream_table.h"
#include "server/runner/task_pool.h"

namespace tenor {

// Carries out what a Coordinator decides: one loop for the state machine, one thread for the run
// folder, streams by number. Thread-safe.
class CoordinatorRunner : public CoordinatorService, public OperatorService {
 public:
  struct Options {
    CoordinatorConfig config;
    std::string run_name;
    std::string run_folder;
    // All that every manifest of the run says: job, hashes, layout, versions.
    spec::Manifest manifest;
    // The process is to end with this code; at most once, from the loop.
    std::function<void(int code, const std::string& sentence)> on_exit;
    // For metrics and log lines; from the loop, must not block.
    std::function<void(const Note&)> on_note;
    std::function<void(const StepRecord&)> on_step;
  };

  // Borrowed: all outlive the runner.
  CoordinatorRunner(Options options, const Clock& clock, FileSystem& files, Journal& journal);
  ~CoordinatorRunner() override;

  void Start();
  // Ends the loop; what the disk's thread has begun is finished.
  void Stop();

  // When the loop turned last, as Clock::Now.
  absl::Duration last_tick() const { return loop_.last_tick(); }

  const spec::JobSpec& job() const override { return options_.config.job; }
  absl::string_view run_name() const override { return options_.run_name; }
  ConnectionId AttachWorker(absl::string_view peer, SendToWorker send) override;
  void Receive(ConnectionId connection, WorkerMessage message) override;
  ConnectionId AttachShard(absl::string_view peer, SendToShard send) override;
  void Receive(ConnectionId connection, Status status) override;
  void Detach(ConnectionId connection) override;

  std::shared_ptr<const RunView> View() const override;
  Journal& journal() override { return journal_; }
  void Set(spec::Tunables change, Version at_step, bool dry_run, Answer answer) override;
  void StopRun(std::string reason, Answer answer) override;
  void CheckpointNow(Answer answer) override;
  void Evict(std::string name, Answer answer) override;

 private:
  // All below run on the loop, Disk tasks apart.
  void Post(Event event);
  void Handle(const Event& event);
  void CarryOut(const std::vector<Effect>& effects);
  void Ask(Answer answer, std::function<Event(RequestId)> event);
  void UpdateView();

  void Do(const ToWorker& effect);
  void Do(const ToShard& effect);
  void Do(const ClaimLineage& effect);
  void Do(const ReadClaim& effect);
  void Do(const WriteTunables& effect);
  void Do(const WriteManifest& effect);
  void Do(const RenameDamaged& effect);
  void Do(const Prune& effect);
  void Do(const Reply& effect);
  void Do(const Note& effect);
  void Do(const StepDone& effect);
  void Do(const Exit& effect);

  spec::Manifest ManifestOf(const WriteManifest& effect) const;

  const Options options_;
  const Clock& clock_;
  Journal& journal_;
  const LineageClaims claims_;
  const CheckpointStore checkpoints_;
  std::atomic<uint64_t> next_connection_{0};
  StreamTable<SendToWorker> workers_;
  StreamTable<SendToShard> shards_;

  // State of the loop's thread.
  Coordinator coordinator_;
  uint64_t next_request_ = 0;
  std::map<RequestId, Answer> answers_;
  std::optional<absl::Duration> last_verdict_;
  RunView view_;

  mutable Mutex mu_;
  std::shared_ptr<const RunView> published_ TENOR_GUARDED_BY(mu_);

  EventLoop loop_;
  TaskPool disk_{1};  // ends first: its completions go to the loop
};

}  // namespace tenor

#endif  // TENOR_SERVER_RUNNER_COORDINATOR_RUNNER_H_

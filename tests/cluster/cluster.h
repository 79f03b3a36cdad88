// A whole run in one process: the real coordinator and shards with their runners and engines, the
// real sessions with their loops, over in-process ports and a file system in memory. What the
// trainer computes is a quadratic bowl, so that every lock is exercised and no GEMM library is
// needed.
#ifndef TENOR_TESTS_CLUSTER_CLUSTER_H_
#define TENOR_TESTS_CLUSTER_CLUSTER_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/file_system.h"
#include "base/mutex.h"
#include "proto/spec.pb.h"
#include "server/runner/coordinator_runner.h"
#include "server/runner/journal.h"
#include "server/runner/local_link.h"
#include "server/runner/parameter_space.h"
#include "server/runner/shard_runner.h"
#include "worker/local/local_client.h"
#include "worker/solo_group.h"
#include "worker/trainer.h"
#include "worker/worker_loop.h"

namespace tenor {

// Gradient of sample s of a flat vector w: w - center(s), with small deterministic centers; the
// loss is the mean over elements of half its square. Single-threaded.
class BowlTrainer : public Trainer {
 public:
  // Borrowed.
  explicit BowlTrainer(NodeGroup* group) : group_(*group) {}

  void WeightsChanged() override {}
  void ResetLanes() override {}
  absl::StatusOr<StepResult> Compute(const Directive& directive, const Progress& progress) override;

 private:
  NodeGroup& group_;
};

// The servers of one run. Thread-safe.
class ServerSet {
 public:
  // `job` is valid with defaults filled in; borrowed files and clock outlive the set.
  ServerSet(const spec::JobSpec& job, int shards, FileSystem& files, const Clock& clock);
  ~ServerSet();

  LocalServers services();
  CoordinatorRunner& coordinator() { return *coordinator_; }

  // Waits until every shard has installed its base.
  void WaitUntilInstalled();
  // Waits until the coordinator has ended; its exit code.
  int WaitForEnd();
  // Waits until `applied` rounds were applied by this set, or the run has ended.
  void WaitForSteps(int64_t applied);

 private:
  void End(int code);

  const ParameterSpace space_;
  std::unique_ptr<Journal> journal_;
  std::unique_ptr<CoordinatorRunner> coordinator_;
  std::vector<std::unique_ptr<LocalLink>> links_;
  std::vector<std::unique_ptr<ShardRunner>> shards_;
  Mutex mu_;
  CondVar changed_;
  int64_t applied_ TENOR_GUARDED_BY(mu_) = 0;
  std::optional<int> exit_code_ TENOR_GUARDED_BY(mu_);
};

// One worker on a thread of its own. Thread-safe.
class WorkerThread {
 public:
  WorkerThread(const spec::JobSpec& job, std::string name, LocalServers servers,
               const Clock& clock);
  ~WorkerThread();

  void Leave() { loop_->Leave(); }
  // The exit code, once the session has ended.
  int Join();

 private:
  const ParameterSpace space_;
  SoloGroup group_;
  BowlTrainer trainer_;
  std::unique_ptr<PsClient> client_;
  std::unique_ptr<WorkerLoop> loop_;
  int exit_code_ = -1;
  std::thread thread_;
};

// A small job over many chunks: hidden units few, chunks of 4 Ki elements.
spec::JobSpec ClusterJob(int64_t updates, spec::Codec::Id codec);

}  // namespace tenor

#endif  // TENOR_TESTS_CLUSTER_CLUSTER_H_

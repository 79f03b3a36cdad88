#ifndef TENOR_TESTS_SIM_COORDINATOR_RUNNER_H_
#define TENOR_TESTS_SIM_COORDINATOR_RUNNER_H_

#include <map>
#include <vector>

#include "server/core/coordinator.h"
#include "server/core/effects.h"
#include "server/core/events.h"
#include "tests/sim/process.h"

namespace tenor::sim {

class World;

// A Coordinator and what carries out its effects: streams, the run folder, the operator. Tells the
// oracles what it sees. Single-threaded.
class CoordinatorRunner {
 public:
  CoordinatorRunner(World* world, Process* self);

  void Start();
  void Tick();
  // `computation` of a Report; the message itself names none.
  void FromWorker(StreamNumber stream, const WorkerMessage& message, int computation);
  void FromShard(StreamNumber stream, const Status& status);
  void StreamLost(StreamNumber stream);
  void Operate(const Event& request);

  CoordinatorStatus Describe() const { return coordinator_.Describe(); }

 private:
  void Step(const Event& event);
  void RunAll(const std::vector<Effect>& effects);
  void ObserveDecisions(const std::vector<Effect>& effects);
  void ObserveOpenings(const std::vector<Effect>& effects);

  void Run(const ToWorker& effect);
  void Run(const ToShard& effect);
  void Run(const ClaimLineage& effect);
  void Run(const ReadClaim& effect);
  void Run(const WriteTunables& effect);
  void Run(const WriteManifest& effect);
  void Run(const RenameDamaged& effect);
  void Run(const Prune& effect);
  void Run(const Note& effect);
  void Run(const Exit& effect);
  void Run(const Reply&) {}
  void Run(const StepDone&) {}

  void ChooseAndClaim(OperationId operation, Lineage lineage, const spec::Tunables& initial);
  void FinishClaim(const Claimed& claimed);
  void CommitManifest(const WriteManifest& effect);
  // False: the job is to go on when it is started again.
  bool CheckEnd(const Done& done);
  void ObserveVerdict(const StepDone& done);
  void ObserveReply(const Reply& reply);
  // A completion that comes after `low` to `high` ms.
  void Later(int low, int high, Event event);

  World* const world_;
  Process* const self_;
  Coordinator coordinator_;
  Lineage lineage_ = 0;  // newest claimed
  std::map<RequestId, SetTunables> requests_;
};

}  // namespace tenor::sim

#endif  // TENOR_TESTS_SIM_COORDINATOR_RUNNER_H_

#ifndef TENOR_TESTS_SIM_FAULTS_H_
#define TENOR_TESTS_SIM_FAULTS_H_

#include "tests/sim/coordinator_runner.h"
#include "tests/sim/world.h"

namespace tenor::sim {

// The menu of docs/protocol.md 10. Disturbs a world once per call, by its plan's mix.
// Single-threaded.
class Faults {
 public:
  explicit Faults(World* world) : world_(world) {}

  // Schedules one disturbance after another from plan.fault_from to plan.fault_until.
  void Schedule();

 private:
  void Once();
  void DisturbAll(int choice);

  void CrashWorker();
  void CrashWorkerAfterReport();
  void CrashServer();
  void CrashAllServers();
  void PauseAnyone();
  void DoubleWorker();
  void DoubleServer();
  void Operate();
  void SetSomething(CoordinatorRunner* coordinator);
  void TerminateServer();
  void ResetControlStream();
  void HangTrainer();
  void Leave();
  void DamageCheckpoint();
  void LoseLocalWorker();

  ProcessNumber AnyWorker();
  int Draw(int bound) { return world_->random().Below(bound); }

  World* const world_;
  uint64_t requests_ = 0;
};

// Ends all faults: hung trainers die, doubles die, supervisors restart what exits, the operator
// repeats `set min_workers 1`.
void Heal(World* world);

}  // namespace tenor::sim

#endif  // TENOR_TESTS_SIM_FAULTS_H_

#ifndef TENOR_TESTS_SIM_WORLD_H_
#define TENOR_TESTS_SIM_WORLD_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "tests/sim/disk.h"
#include "tests/sim/event_queue.h"
#include "tests/sim/history.h"
#include "tests/sim/ledger_oracle.h"
#include "tests/sim/network.h"
#include "tests/sim/plan.h"
#include "tests/sim/process.h"
#include "tests/sim/random.h"
#include "tests/sim/rounds_oracle.h"
#include "tests/sim/streams.h"
#include "tests/sim/sum_oracle.h"

namespace tenor::sim {

class ServerProcess;
class WorkerProcess;

// What a run came to; sums of it are the summary of many seeds.
struct Figures {
  int64_t applies = 0;
  int64_t skips = 0;
  int64_t drops = 0;
  int64_t voids = 0;
  int64_t views = 0;
  int64_t lineages = 0;
  int64_t evictions = 0;
  int64_t checkpoints = 0;
  int64_t damaged_loads = 0;
  int64_t busy_exits = 0;
  int64_t leaves = 0;
  int64_t stops = 0;
  int64_t end = 0;  // ms; of the declaration

  Figures& operator+=(const Figures& other);
  int64_t rounds() const { return applies + skips + drops + voids; }
};

// One run: the virtual clock, everything between the processes, and the processes. Actions of a
// dead process never run, those of a paused one wait. Single-threaded.
class World {
 public:
  // `trace` may be nullptr; it outlives the world.
  World(const Plan& plan, std::string* trace);
  ~World();

  const Plan& plan() const { return plan_; }
  EventQueue& queue() { return queue_; }
  Random& random() { return random_; }
  Network& network() { return network_; }
  Streams& streams() { return streams_; }
  Disk& disk() { return disk_; }
  History& history() { return history_; }
  SumOracle& sums() { return sums_; }
  LedgerOracle& ledger() { return ledger_; }
  RoundsOracle& rounds() { return rounds_; }
  Figures& figures() { return figures_; }
  Millis now() const { return queue_.now(); }

  // A step of `process` that takes between `low` and `high` ms.
  void After(ProcessNumber process, int low, int high, std::function<void()> action);

  ProcessNumber Spawn(Role role, int index);
  void Kill(ProcessNumber process, bool notice);
  // The process ends by itself, as soon as the present action is over; while the job is not done a
  // supervisor starts it again.
  void Exit(ProcessNumber process);
  // Starts a process of this name after `low` to `high` ms, if none lives then.
  void Restart(Role role, int index, int low, int high);
  // A durable step of `process` was just done: while faults are on, now and then it dies here, or
  // sleeps while another process of its name starts.
  void MaybeStrike(ProcessNumber process);
  // At wake-up either the timer of the process or what was queued comes first.
  void Pause(ProcessNumber process, Millis duration);

  Process& process(ProcessNumber number) { return *processes_[number - 1]; }
  ServerProcess* server(ProcessNumber number);
  WorkerProcess* worker(ProcessNumber number);
  ProcessNumber process_count() const { return static_cast<ProcessNumber>(processes_.size()); }
  // Invariant 13: `leaver` exits because its name is in use.
  void CheckNameInUse(const Process& leaver);
  // Live processes of one name, oldest first.
  std::vector<ProcessNumber> Live(Role role, int index) const;
  // Every process that ever was server 0.
  std::vector<ProcessNumber> AllServers0() const;
  // Where the address of a server leads: mostly its newest process. 0 = nobody answers.
  ProcessNumber ResolveServer(int index);

  // Until `until`, or until an invariant is broken.
  void RunUntil(Millis until);

  // The lineage that declared the end; 0 = none yet.
  Lineage ended() const { return ended_; }
  void DeclareEnd(Lineage lineage);
  void ForgetEnd() { ended_ = 0; }
  // A coordinator stopped the job before its end: the operator starts everything again.
  void DeclareStop();
  // Save failures and transient load errors happen only while faults are on.
  bool faulty() const { return faulty_; }
  void set_faulty(bool faulty) { faulty_ = faulty; }

  bool tracing() const { return trace_ != nullptr; }
  void Say(absl::string_view line);
  // Says of each live process where it stands.
  void SayStates();

 private:
  void ScheduleTick(ProcessNumber number);
  void Wake(ProcessNumber number);

  const Plan plan_;
  std::string* const trace_;
  EventQueue queue_;
  Random random_;
  Network network_;
  Streams streams_;
  Disk disk_;
  History history_;
  SumOracle sums_;
  LedgerOracle ledger_;
  RoundsOracle rounds_;
  Figures figures_;
  std::vector<std::unique_ptr<Process>> processes_;
  Lineage ended_ = 0;
  bool stopping_ = false;
  bool faulty_ = true;
};

}  // namespace tenor::sim

#endif  // TENOR_TESTS_SIM_WORLD_H_

#include "tests/sim/world.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "tests/sim/job.h"
#include "tests/sim/server_process.h"
#include "tests/sim/worker_process.h"

namespace tenor::sim {
namespace {

constexpr uint64_t kWorldStream = 2;

}  // namespace

Figures& Figures::operator+=(const Figures& other) {
  applies += other.applies;
  skips += other.skips;
  drops += other.drops;
  voids += other.voids;
  views += other.views;
  lineages += other.lineages;
  evictions += other.evictions;
  checkpoints += other.checkpoints;
  damaged_loads += other.damaged_loads;
  busy_exits += other.busy_exits;
  leaves += other.leaves;
  stops += other.stops;
  end += other.end;
  return *this;
}

World::World(const Plan& plan, std::string* trace)
    : plan_(plan),
      trace_(trace),
      random_(plan.seed, kWorldStream),
      network_(&queue_, &random_),
      streams_(this),
      sums_(&history_),
      ledger_(plan_, &history_),
      rounds_(&history_) {
  network_.set_faults(plan_.network);
}

World::~World() = default;

void World::After(ProcessNumber process, int low, int high, std::function<void()> action) {
  queue_.At(now() + random_.Range(low, high), process, std::move(action));
}

ProcessNumber World::Spawn(Role role, int index) {
  const ProcessNumber number = process_count() + 1;
  if (tracing()) {
    Say(absl::StrCat("start ", role == Role::kServer ? "server " : "worker ", index, " as process ",
                     number));
  }
  if (role == Role::kServer) {
    processes_.push_back(std::make_unique<ServerProcess>(this, index, number));
  } else {
    processes_.push_back(std::make_unique<WorkerProcess>(this, index, number));
  }
  process(number).Start();
  queue_.At(now() + random_.Range(1, 50), number, [this, number] { ScheduleTick(number); });
  return number;
}

void World::ScheduleTick(ProcessNumber number) {
  process(number).Tick();
  queue_.At(now() + random_.Range(40, 60), number, [this, number] { ScheduleTick(number); });
}

void World::Kill(ProcessNumber number, bool notice) {
  Process& victim = process(number);
  if (!victim.alive()) return;
  if (tracing()) Say(absl::StrCat("process ", number, " dies"));
  victim.Die(now());
  streams_.ProcessDied(number, notice);
}

void World::Exit(ProcessNumber number) {
  queue_.At(now(), 0, [this, number] { Kill(number, true); });
  if (ended_ == 0) Restart(process(number).role(), process(number).index(), 10, 1500);
}

void World::Restart(Role role, int index, int low, int high) {
  After(0, low, high, [this, role, index] {
    if (Live(role, index).empty()) Spawn(role, index);
  });
}

void World::MaybeStrike(ProcessNumber number) {
  if (!faulty_ || plan_.strike == 0 || !random_.Chance(plan_.strike)) return;
  const Process& victim = process(number);
  const Role role = victim.role();
  const int index = victim.index();
  if (random_.Chance(0.5)) {
    queue_.At(now(), 0, [this, number] { Kill(number, true); });
    Restart(role, index, 10, 1500);
    return;
  }
  queue_.At(now(), 0, [this, role, index, number] {
    if (!process(number).alive() || process(number).paused()) return;
    Pause(number, random_.Range(300, 3000));
    Spawn(role, index);
  });
}

void World::CheckNameInUse(const Process& leaver) {
  ++figures_.busy_exits;
  // A Busy may be under way for long, and a coordinator that slept counts less time than passed.
  const Millis slack = plan_.mix == FaultMix::kNone ? 1000 : 8000;
  for (const auto& other : processes_) {
    if (other->number() == leaver.number() || other->role() != leaver.role() ||
        other->index() != leaver.index()) {
      continue;
    }
    if (other->alive() || other->died() > now() - kNameWait - slack) return;
  }
  history_.Fail("I13", absl::StrCat("process ", leaver.number(),
                                    " exits because its name is in use, and nobody holds it"));
}

void World::Pause(ProcessNumber number, Millis duration) {
  Process& target = process(number);
  if (!target.alive() || target.paused()) return;
  if (tracing()) Say(absl::StrCat("process ", number, " pauses for ", duration, " ms"));
  target.Pause();
  queue_.At(now() + duration, 0, [this, number] { Wake(number); });
}

void World::Wake(ProcessNumber number) {
  Process& target = process(number);
  if (!target.alive()) return;
  auto backlog = target.Wake();
  if (random_.Chance(0.5)) target.Tick();
  for (auto& action : backlog) {
    if (!target.alive() || history_.failed()) return;
    action();
  }
}

ServerProcess* World::server(ProcessNumber number) {
  return static_cast<ServerProcess*>(&process(number));
}

WorkerProcess* World::worker(ProcessNumber number) {
  return static_cast<WorkerProcess*>(&process(number));
}

std::vector<ProcessNumber> World::Live(Role role, int index) const {
  std::vector<ProcessNumber> live;
  for (const auto& process : processes_) {
    if (process->alive() && process->role() == role && process->index() == index) {
      live.push_back(process->number());
    }
  }
  return live;
}

std::vector<ProcessNumber> World::AllServers0() const {
  std::vector<ProcessNumber> numbers;
  for (const auto& process : processes_) {
    if (process->role() == Role::kServer && process->index() == 0) {
      numbers.push_back(process->number());
    }
  }
  return numbers;
}

ProcessNumber World::ResolveServer(int index) {
  const std::vector<ProcessNumber> live = Live(Role::kServer, index);
  if (live.empty()) return 0;
  if (random_.Chance(0.8)) return live.back();
  return live[random_.Below(static_cast<int>(live.size()))];
}

void World::RunUntil(Millis until) {
  while (!history_.failed()) {
    std::optional<Occurrence> next = queue_.Next(until);
    if (!next) return;
    if (next->process != 0) {
      Process& owner = process(next->process);
      if (!owner.alive()) continue;
      if (owner.paused()) {
        owner.Hold(std::move(next->action));
        continue;
      }
    }
    next->action();
  }
}

void World::DeclareEnd(Lineage lineage) {
  if (ended_ != 0) return;
  ended_ = lineage;
  figures_.end = now();
  if (tracing()) Say(absl::StrCat("the end is declared in lineage ", lineage));
}

void World::DeclareStop() {
  if (std::exchange(stopping_, true)) return;
  ++figures_.stops;
  if (tracing()) Say("the job is stopped before its end");
  After(0, 1000, 2000, [this] {
    stopping_ = false;
    for (int k = 0; k < plan_.shards; ++k) {
      for (const ProcessNumber number : Live(Role::kServer, k)) Kill(number, true);
      Restart(Role::kServer, k, 10, 500);
    }
  });
}

void World::SayStates() {
  for (const auto& process : processes_) {
    if (!process->alive() || !tracing()) continue;
    Say(absl::StrCat("process ", process->number(), process->paused() ? " (paused) " : " ",
                     process->index(), ": ", process->Describe()));
  }
}

void World::Say(absl::string_view line) {
  if (trace_ != nullptr) absl::StrAppend(trace_, now(), " ", line, "\n");
}

}  // namespace tenor::sim

#include "tests/sim/seed_run.h"

#include "absl/strings/str_cat.h"
#include "tests/sim/faults.h"
#include "tests/sim/server_process.h"
#include "tests/sim/worker_process.h"

namespace tenor::sim {
namespace {

constexpr Millis kPatience = 150000;  // after the last fault
constexpr Millis kDrain = 6000;       // after the end

void StartAll(World* world) {
  for (int k = 0; k < world->plan().shards; ++k) world->Spawn(Role::kServer, k);
  for (int w = 0; w < world->plan().workers; ++w) world->Spawn(Role::kWorker, w);
}

void RunToEnd(World* world) {
  const Millis last = world->plan().fault_until + kPatience;
  while (world->ended() == 0 && !world->history().failed() && world->now() < last) {
    world->RunUntil(world->now() + 500);
  }
  if (world->ended() == 0) {
    world->history().Fail("I11", absl::StrCat("not done ", kPatience, " ms after the last fault"));
  }
  world->RunUntil(world->now() + kDrain);
}

void CheckDrained(World* world) {
  for (ProcessNumber number = 1; number <= world->process_count(); ++number) {
    const Process& process = world->process(number);
    if (process.alive() && !process.paused() && process.role() == Role::kServer) {
      world->server(number)->shard().CheckDrained();
    }
  }
}

// Every server dies after the end: the next lineage finds a finished job and has nothing to do.
void CheckEndIsDurable(World* world) {
  const Lineage ended = world->ended();
  const size_t verdicts = world->history().verdicts.size();
  world->ForgetEnd();
  for (int k = 0; k < world->plan().shards; ++k) {
    for (const ProcessNumber number : world->Live(Role::kServer, k)) world->Kill(number, true);
    world->Spawn(Role::kServer, k);
  }
  for (int w = 0; w < world->plan().workers; ++w) {
    if (world->Live(Role::kWorker, w).empty()) world->Spawn(Role::kWorker, w);
  }
  world->RunUntil(world->now() + 15000);
  if (world->ended() <= ended) {
    world->history().Fail("I10", "a finished job is not finished after a restart");
  }
  if (world->history().verdicts.size() != verdicts) {
    world->history().Fail("I10", "a finished job went on after a restart");
  }
}

}  // namespace

void CollectFigures(World* world) {
  for (const ProcessNumber number : world->AllServers0()) {
    world->figures().evictions += world->server(number)->coordinator()->Describe().evictions;
  }
}

SeedResult RunSeed(uint64_t seed, std::string* trace) {
  World world(DrawPlan(seed), trace);
  Faults faults(&world);
  StartAll(&world);
  faults.Schedule();
  world.queue().At(world.plan().fault_until, 0, [&world] { Heal(&world); });
  RunToEnd(&world);
  CheckDrained(&world);
  CollectFigures(&world);
  if (seed % 3 == 0 && !world.history().failed() && !world.disk().any_damage()) {
    const Figures figures = world.figures();
    CheckEndIsDurable(&world);
    world.figures() = figures;
  }
  if (world.history().failed()) world.SayStates();
  return {world.history().violation, world.figures()};
}

Violation CheckRepeatable(uint64_t seed) {
  std::string first;
  std::string second;
  RunSeed(seed, &first);
  RunSeed(seed, &second);
  if (first == second) return {};
  size_t at = 0;
  while (at < first.size() && at < second.size() && first[at] == second[at]) ++at;
  const size_t line = first.rfind('\n', at) + 1;
  return {"I14", absl::StrCat("two runs differ from here: ", first.substr(line, 120))};
}

}  // namespace tenor::sim

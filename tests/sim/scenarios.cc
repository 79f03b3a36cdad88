#include "tests/sim/scenarios.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "tests/sim/seed_run.h"
#include "tests/sim/server_process.h"
#include "tests/sim/worker_process.h"

namespace tenor::sim {
namespace {

constexpr int kServers = 3;
constexpr int kWorkers = 4;
constexpr uint64_t kSeed = 4242;
constexpr Millis kLongest = 400000;

Plan CalmPlan() {
  Plan plan;
  plan.seed = kSeed;
  plan.shards = kServers;
  plan.workers = kWorkers;
  plan.chunks = kServers + 2;
  plan.segments = 12;
  plan.segment_samples = 10;
  plan.passes = 3;
  plan.two_phase = true;
  plan.mix = FaultMix::kNone;
  plan.not_finite = 0.04;
  plan.save_failure = 0;
  return plan;
}

constexpr ProcessNumber ServerNumber(int index) { return 1 + index; }
constexpr ProcessNumber WorkerNumber(int index) { return 1 + kServers + index; }

void PauseAt(World* world, ProcessNumber process, Millis time, Millis duration) {
  world->queue().At(time, 0, [=] { world->Pause(process, duration); });
}

void AskFor(World* world, Millis time, const spec::Tunables& change) {
  world->queue().At(time, 0, [=] {
    world->server(ServerNumber(0))->coordinator()->Operate(SetTunables{{1}, change, 0, false});
  });
}

Scenario NoFault() {
  return {"no_fault", {}, [](World*) {}};
}

Scenario CoordinatorPaused() {
  return {"coordinator_paused_twice", {}, [](World* world) {
            PauseAt(world, ServerNumber(0), 1000, 10000);
            PauseAt(world, ServerNumber(0), 12000, 10000);
          }};
}

Scenario ShardPaused() {
  return {"shard_paused", {}, [](World* world) { PauseAt(world, ServerNumber(2), 1000, 10000); }};
}

Scenario WorkerPaused() {
  return {"worker_paused", {}, [](World* world) { PauseAt(world, WorkerNumber(1), 1000, 800); }};
}

Scenario LongSteps() {
  return {"steps_longer_than_deadline",
          [](Plan* plan) {
            plan->segment_samples = 60;
            plan->passes = 1;
            plan->round_deadline = 600;
          },
          [](World* world) {
            spec::Tunables change;
            change.set_accumulation_steps(60);
            AskFor(world, 310, change);
          }};
}

Scenario SlowRankZero() {
  return {"rank_0_slow_but_alive", [](Plan* plan) { plan->round_deadline = 600; },
          [](World* world) { world->worker(WorkerNumber(0))->trainer().set_slow(900); }};
}

void ResetAllControlStreams(World* world) {
  for (int w = 0; w < kWorkers; ++w) {
    const StreamNumber stream = world->worker(WorkerNumber(w))->control_stream();
    if (stream != 0) world->streams().Reset(stream);
  }
}

Scenario ControlStreamsReset() {
  return {"control_streams_reset", {}, [](World* world) {
            for (Millis time = 300; time < 20000; time += 200) {
              world->queue().At(time, 0, [=] { ResetAllControlStreams(world); });
            }
          }};
}

// Kills worker 2 as soon as it has reported; a supervisor brings it back.
void KillAfterReport(World* world) {
  for (const ProcessNumber number : world->Live(Role::kWorker, 2)) {
    const Millis reported = world->worker(number)->reported();
    if (reported == 0 || world->now() - reported <= 12) continue;
    world->Kill(number, true);
    world->After(0, 150, 150, [=] { world->Spawn(Role::kWorker, 2); });
    break;
  }
  if (world->now() < 20000) world->After(0, 3, 3, [=] { KillAfterReport(world); });
}

Scenario KilledAfterReport() {
  Scenario scenario{"worker_killed_after_each_report", {}, [](World* world) {
                      world->queue().At(500, 0, [=] { KillAfterReport(world); });
                    }};
  scenario.most_evictions = 100000;
  // The start: workers that join one after another.
  scenario.most_extra_views = 2;
  return scenario;
}

Scenario NameTakenTwice() {
  Scenario scenario{"second_process_of_one_name", {}, [](World* world) {
                      for (Millis time = 1000; time < 20000; time += 2500) {
                        world->queue().At(time, 0, [=] {
                          if (world->ended() == 0) world->Spawn(Role::kWorker, 1);
                        });
                      }
                    }};
  scenario.least_busy_exits = 1;
  return scenario;
}

Scenario WorkerHangs(int rank) {
  Scenario scenario{absl::StrCat("rank_", rank, "_hangs"), {}, [rank](World* world) {
                      world->queue().At(
                          1000, 0, [=] { world->worker(WorkerNumber(rank))->trainer().Hang(); });
                    }};
  // log2(job time / first penalty) + 1; each costs one view, and may find the round in its last
  // view.
  scenario.most_evictions = 6;
  scenario.most_extra_views = 8;
  return scenario;
}

Scenario AllWorkersKilled() {
  Scenario scenario{"all_workers_killed", {}, [](World* world) {
                      world->queue().At(3000, 0, [=] {
                        for (int w = 0; w < kWorkers; ++w) world->Kill(WorkerNumber(w), true);
                      });
                      world->queue().At(3300, 0, [=] {
                        for (int w = 0; w < kWorkers; ++w) world->Spawn(Role::kWorker, w);
                      });
                    }};
  scenario.most_evictions = kWorkers;
  scenario.most_extra_views = 4;
  return scenario;
}

Scenario AllServersKilled() {
  Scenario scenario{"all_servers_killed", {}, [](World* world) {
                      world->queue().At(3000, 0, [=] {
                        for (int k = 0; k < kServers; ++k) world->Kill(ServerNumber(k), true);
                      });
                      world->queue().At(6000, 0, [=] {
                        for (int k = 0; k < kServers; ++k) world->Spawn(Role::kServer, k);
                      });
                    }};
  scenario.most_lineages = 2;
  scenario.most_extra_views = 1;  // of the round that was open
  return scenario;
}

// A finite figure that is too large, or an invariant.
std::string Judge(const Scenario& scenario, const World& world, const Figures& figures,
                  const Violation& violation) {
  if (!violation.invariant.empty()) return absl::StrCat(violation.invariant, ": ", violation.text);
  if (world.ended() == 0) return "not done";
  const int64_t extra_views = figures.views - figures.rounds();
  if (figures.evictions > scenario.most_evictions) return "too many evictions";
  if (figures.lineages > scenario.most_lineages) return "too many lineages";
  if (extra_views > scenario.most_extra_views) return "too many views";
  if (figures.busy_exits < scenario.least_busy_exits) return "newcomers did not exit";
  return "";
}

}  // namespace

std::vector<Scenario> AllScenarios() {
  std::vector<Scenario> scenarios = {
      NoFault(),        CoordinatorPaused(), ShardPaused(),         WorkerPaused(),
      LongSteps(),      SlowRankZero(),      ControlStreamsReset(), KilledAfterReport(),
      NameTakenTwice(), AllWorkersKilled(),  AllServersKilled()};
  for (int rank = 0; rank < kWorkers; ++rank) scenarios.push_back(WorkerHangs(rank));
  return scenarios;
}

ScenarioResult RunScenario(const Scenario& scenario, std::string* trace) {
  Plan plan = CalmPlan();
  if (scenario.shape) scenario.shape(&plan);
  World world(plan, trace);
  world.set_faulty(false);
  for (int k = 0; k < kServers; ++k) world.Spawn(Role::kServer, k);
  for (int w = 0; w < kWorkers; ++w) world.Spawn(Role::kWorker, w);
  scenario.disturb(&world);
  while (world.ended() == 0 && !world.history().failed() && world.now() < kLongest) {
    world.RunUntil(world.now() + 500);
  }
  CollectFigures(&world);
  return {Judge(scenario, world, world.figures(), world.history().violation), world.figures()};
}

bool RunScenarios(absl::string_view name, bool trace) {
  bool good = true;
  bool found = false;
  for (const Scenario& scenario : AllScenarios()) {
    if (name != "all" && name != scenario.name) continue;
    found = true;
    std::string text;
    const ScenarioResult result = RunScenario(scenario, trace ? &text : nullptr);
    fwrite(text.data(), 1, text.size(), stdout);
    const Figures& figures = result.figures;
    printf("%s\n",
           absl::StrCat(result.error.empty() ? "ok   " : "FAIL ", scenario.name, ": evictions ",
                        figures.evictions, ", lineages ", figures.lineages, ", rounds ",
                        figures.rounds(), ", views ", figures.views, ", busy exits ",
                        figures.busy_exits, ", end ", figures.end, " ms ", result.error)
               .c_str());
    good &= result.error.empty();
  }
  if (!found) printf("no scenario is called %s\n", std::string(name).c_str());
  return good && found;
}

}  // namespace tenor::sim

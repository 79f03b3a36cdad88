#include "tests/sim/plan.h"

#include <algorithm>

#include "tests/sim/random.h"

namespace tenor::sim {
namespace {

constexpr uint64_t kPlanStream = 1;

void DrawShape(Random& random, Plan* plan) {
  plan->shards = random.Range(1, 4);
  plan->workers = random.Range(1, 5);
  plan->chunks = random.Range(plan->shards, plan->shards + 4);
  // One shard has nothing to do.
  if (random.Chance(0.1)) plan->chunks = std::max(1, plan->shards - 1);
  plan->segments = random.Range(6, 14);
  plan->window = random.Range(1, 3);
  plan->segment_samples = plan->window * random.Range(2, 7);
  plan->missing_samples = random.Below(plan->segment_samples);
  plan->passes = random.Range(1, 3);
  plan->micro_batch = random.Range(1, 2);
  plan->two_phase = random.Chance(0.5);
  plan->credits = random.Range(1, 2);
}

void DrawGradients(Random& random, Plan* plan) {
  plan->has_bad_sample = random.Chance(0.3);
  plan->bad_sample = random.Below(plan->samples());
  plan->not_finite = random.Chance(0.2) ? 0 : 0.04;
}

void DrawNetwork(Random& random, NetworkFaults* network) {
  network->loss = random.Chance(0.3) ? 0 : random.Range(0, 12) / 100.0;
  network->duplication = random.Chance(0.3) ? 0 : random.Range(0, 20) / 100.0;
  network->long_delay = random.Chance(0.5) ? 0 : random.Range(0, 8) / 100.0;
  network->delay_max = random.Range(3, 60);
}

void DrawFaults(Random& random, Plan* plan) {
  plan->mix = random.Chance(0.6)   ? FaultMix::kAll
              : random.Chance(0.5) ? FaultMix::kServersOnly
                                   : FaultMix::kWorkersOnly;
  plan->fault_from = random.Range(100, 800);
  plan->fault_until = random.Range(3000, 12000);
  plan->fault_gap = random.Range(150, 1500);
  const bool servers = plan->mix != FaultMix::kWorkersOnly;
  plan->strike = servers && random.Chance(0.5) ? random.Range(1, 8) / 100.0 : 0;
}

void RemoveFaults(Plan* plan) {
  plan->mix = FaultMix::kNone;
  plan->network = NetworkFaults();
  plan->fault_from = plan->fault_until = 100;
  plan->save_failure = 0;
  plan->strike = 0;
}

}  // namespace

Plan DrawPlan(uint64_t seed) {
  Random random(seed, kPlanStream);
  Plan plan;
  plan.seed = seed;
  DrawShape(random, &plan);
  DrawGradients(random, &plan);
  DrawNetwork(random, &plan.network);
  DrawFaults(random, &plan);
  if (random.Chance(0.03)) RemoveFaults(&plan);
  return plan;
}

}  // namespace tenor::sim

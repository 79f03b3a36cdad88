#ifndef TENOR_TESTS_SIM_PLAN_H_
#define TENOR_TESTS_SIM_PLAN_H_

#include <cstdint>

#include "tests/sim/event_queue.h"
#include "tests/sim/network.h"

namespace tenor::sim {

// Which processes a seed disturbs.
enum class FaultMix { kAll, kServersOnly, kWorkersOnly, kNone };

// Everything that one seed fixes in advance: the shape of the job and how badly the world treats
// it.
struct Plan {
  uint64_t seed = 0;

  int shards = 2;
  int workers = 2;
  int chunks = 4;
  int segments = 12;
  int segment_samples = 10;  // whole windows
  int missing_samples = 0;   // by which the last segment is shorter
  int window = 1;            // samples of one slot of one lane
  int passes = 1;
  int micro_batch = 1;
  bool two_phase = false;  // the optimizer needs norms of the update before it applies (LAMB)
  int credits = 1;         // contributions that may wait per (member, shard)

  bool has_bad_sample = false;  // one that always gives a gradient that is not finite
  int bad_sample = 0;
  double not_finite = 0.004;  // probability per computation and step of log2 of the loss scale

  FaultMix mix = FaultMix::kAll;
  NetworkFaults network;
  Millis fault_from = 0;
  Millis fault_until = 0;
  Millis fault_gap = 0;  // mean time between faults
  double save_failure = 0.04;
  double strike = 0;  // probability that a process dies or sleeps right after a durable step
  Millis round_deadline = 3000;

  int pass_samples() const { return segments * segment_samples - missing_samples; }
  int samples() const { return passes * pass_samples(); }
};

Plan DrawPlan(uint64_t seed);

}  // namespace tenor::sim

#endif  // TENOR_TESTS_SIM_PLAN_H_

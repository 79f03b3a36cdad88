#ifndef TENOR_TESTS_SIM_NETWORK_H_
#define TENOR_TESTS_SIM_NETWORK_H_

#include <functional>

#include "tests/sim/event_queue.h"
#include "tests/sim/random.h"

namespace tenor::sim {

struct NetworkFaults {
  double loss = 0;
  double duplication = 0;
  double long_delay = 0;  // share of messages that take up to long_delay_max more
  Millis delay_max = 5;
  Millis long_delay_max = 3000;
};

// Carries messages between processes: loses, repeats, delays and thereby reorders them. What
// arrives at a dead process vanishes, at a paused one it waits. Inside one process nothing is lost.
// Single-threaded.
class Network {
 public:
  Network(EventQueue* queue, Random* random) : queue_(queue), random_(random) {}

  void set_faults(const NetworkFaults& faults) { faults_ = faults; }

  void Send(ProcessNumber from, ProcessNumber to, std::function<void()> deliver);

 private:
  int Copies();
  Millis Delay();

  EventQueue* const queue_;
  Random* const random_;
  NetworkFaults faults_;
};

}  // namespace tenor::sim

#endif  // TENOR_TESTS_SIM_NETWORK_H_

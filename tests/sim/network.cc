#include "tests/sim/network.h"

#include <utility>

namespace tenor::sim {

void Network::Send(ProcessNumber from, ProcessNumber to, std::function<void()> deliver) {
  if (to == 0) return;
  if (from == to) {
    queue_->At(queue_->now() + 1, to, std::move(deliver));
    return;
  }
  for (int copies = Copies(); copies > 0; --copies) {
    queue_->At(queue_->now() + Delay(), to, deliver);
  }
}

int Network::Copies() {
  if (random_->Chance(faults_.loss)) return 0;
  return random_->Chance(faults_.duplication) ? 2 : 1;
}

Millis Network::Delay() {
  Millis delay = random_->Range(1, static_cast<int>(faults_.delay_max));
  if (random_->Chance(faults_.long_delay)) {
    delay += random_->Below(static_cast<int>(faults_.long_delay_max));
  }
  return delay;
}

}  // namespace tenor::sim

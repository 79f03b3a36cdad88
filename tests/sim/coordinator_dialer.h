#ifndef TENOR_TESTS_SIM_COORDINATOR_DIALER_H_
#define TENOR_TESTS_SIM_COORDINATOR_DIALER_H_

#include <functional>

#include "tests/sim/process.h"
#include "tests/sim/streams.h"

namespace tenor::sim {

class World;

// A process's way to the coordinator: looks the address up, dials, keeps the newest stream.
// Single-threaded.
class CoordinatorDialer {
 public:
  CoordinatorDialer(World* world, StreamKind kind, ProcessNumber self)
      : world_(world), kind_(kind), self_(self) {}

  // `connected` runs with the number of the stream.
  void Find(std::function<void(StreamNumber)> connected);
  // True where it was the present stream.
  bool Lost(StreamNumber stream);
  StreamNumber stream() const { return stream_; }

 private:
  void Connected(StreamNumber stream, const std::function<void(StreamNumber)>& connected);

  World* const world_;
  const StreamKind kind_;
  const ProcessNumber self_;
  StreamNumber stream_ = 0;
  bool dialling_ = false;
};

}  // namespace tenor::sim

#endif  // TENOR_TESTS_SIM_COORDINATOR_DIALER_H_

#ifndef TENOR_TESTS_SIM_EVENT_QUEUE_H_
#define TENOR_TESTS_SIM_EVENT_QUEUE_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace tenor::sim {

// Virtual time since the start of a run.
using Millis = int64_t;
// Number of a process in order of its start, from 1. 0 = the world outside all processes.
using ProcessNumber = int;

struct Occurrence {
  Millis time = 0;
  uint64_t sequence = 0;
  ProcessNumber process = 0;
  std::function<void()> action;
};

// The virtual clock and all that is going to happen, in order of (time, order of scheduling).
// Single-threaded.
class EventQueue {
 public:
  Millis now() const { return now_; }

  // A time in the past means now.
  void At(Millis time, ProcessNumber process, std::function<void()> action);

  // The next event not later than `until`, whose time becomes now; nothing is left before `until`:
  // `until` becomes now.
  std::optional<Occurrence> Next(Millis until);

 private:
  Millis now_ = 0;
  uint64_t scheduled_ = 0;
  std::vector<Occurrence> heap_;
};

}  // namespace tenor::sim

#endif  // TENOR_TESTS_SIM_EVENT_QUEUE_H_

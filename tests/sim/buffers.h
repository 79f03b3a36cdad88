#ifndef TENOR_TESTS_SIM_BUFFERS_H_
#define TENOR_TESTS_SIM_BUFFERS_H_

#include <cstdint>
#include <map>

#include "server/core/names.h"

namespace tenor::sim {

// Of a frame without payload: a member without samples.
inline constexpr int kNoComputation = -1;

// What one buffer of a server holds: the gradient of one chunk out of one computation.
struct Contribution {
  int computation = 0;
  Label label;
  bool finite = true;
};

// The buffers of one server process. Ids are never used again, so use after release shows.
// Single-threaded.
class Buffers {
 public:
  BufferId Allocate(const Contribution& contribution) {
    const BufferId id{++last_};
    live_[id] = contribution;
    return id;
  }
  bool Release(BufferId id) { return live_.erase(id) == 1; }
  // nullptr for one that was released.
  const Contribution* Find(BufferId id) const {
    auto it = live_.find(id);
    return it == live_.end() ? nullptr : &it->second;
  }
  const std::map<BufferId, Contribution>& live() const { return live_; }

 private:
  uint64_t last_ = 0;
  std::map<BufferId, Contribution> live_;
};

}  // namespace tenor::sim

#endif  // TENOR_TESTS_SIM_BUFFERS_H_

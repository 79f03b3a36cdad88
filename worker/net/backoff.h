#ifndef TENOR_WORKER_NET_BACKOFF_H_
#define TENOR_WORKER_NET_BACKOFF_H_

#include <algorithm>
#include <cstdint>

#include "absl/time/time.h"
#include "base/random.h"

namespace tenor {

// Waits between attempts: doubling from 0.1 to 5 s, each drawn between half and all of it, so that
// many workers do not come back in step. Single-threaded.
class Backoff {
 public:
  explicit Backoff(uint64_t seed) : seed_(seed) {}

  void Reset() { longest_ = kFirst; }

  absl::Duration Next() {
    const double part = 0.5 + 0.5 * UniformDouble(RandomBits(seed_, 0, attempts_++));
    const absl::Duration wait = longest_ * part;
    longest_ = std::min(longest_ * 2, kLast);
    return wait;
  }

 private:
  static constexpr absl::Duration kFirst = absl::Milliseconds(100);
  static constexpr absl::Duration kLast = absl::Seconds(5);

  const uint64_t seed_;
  uint64_t attempts_ = 0;
  absl::Duration longest_ = kFirst;
};

}  // namespace tenor

#endif  // TENOR_WORKER_NET_BACKOFF_H_

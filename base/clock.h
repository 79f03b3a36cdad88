#ifndef TENOR_BASE_CLOCK_H_
#define TENOR_BASE_CLOCK_H_

#include <chrono>

#include "absl/time/time.h"
#include "base/mutex.h"

namespace tenor {

// Where shells get the time from; logic is handed `now` instead. Thread-safe.
class Clock {
 public:
  virtual ~Clock() = default;

  // Monotonic time since this clock was made.
  virtual absl::Duration Now() const = 0;

  // Time of day, for logs and records only: it may jump.
  virtual absl::Time WallNow() const = 0;
};

// The machine's clocks.
class RealClock : public Clock {
 public:
  RealClock() : start_(std::chrono::steady_clock::now()) {}

  absl::Duration Now() const override;
  absl::Time WallNow() const override;

 private:
  const std::chrono::steady_clock::time_point start_;
};

// Stands still until told to move; for tests and simulations.
class FakeClock : public Clock {
 public:
  explicit FakeClock(absl::Time wall_start = absl::UnixEpoch()) : wall_start_(wall_start) {}

  absl::Duration Now() const override;
  absl::Time WallNow() const override;

  // REQUIRES: by >= 0.
  void Advance(absl::Duration by);

 private:
  const absl::Time wall_start_;
  mutable Mutex mu_;
  absl::Duration now_ TENOR_GUARDED_BY(mu_);
};

}  // namespace tenor

#endif  // TENOR_BASE_CLOCK_H_

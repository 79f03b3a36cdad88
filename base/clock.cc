#include "base/clock.h"

#include <chrono>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "base/check.h"
#include "base/mutex.h"

namespace tenor {

absl::Duration RealClock::Now() const {
  return absl::FromChrono(std::chrono::steady_clock::now() - start_);
}

absl::Time RealClock::WallNow() const { return absl::Now(); }

absl::Duration FakeClock::Now() const {
  MutexLock lock(mu_);
  return now_;
}

absl::Time FakeClock::WallNow() const { return wall_start_ + Now(); }

void FakeClock::Advance(absl::Duration by) {
  CHECK_GE(by, absl::ZeroDuration());
  MutexLock lock(mu_);
  now_ += by;
}

}  // namespace tenor

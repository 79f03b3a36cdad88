#ifndef TENOR_BASE_MUTEX_H_
#define TENOR_BASE_MUTEX_H_

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <utility>

#include "absl/time/time.h"

// Locks that clang's -Wthread-safety can check and that ThreadSanitizer can see into (it cannot see
// into the system's Abseil). Every field that a mutex guards says so:
//
//   Mutex mu_;
//   CondVar arrived_;
//   std::deque<Event> events_ TENOR_GUARDED_BY(mu_);
//
//   MutexLock lock(mu_);
//   arrived_.Wait(mu_, [this]() TENOR_REQUIRES(mu_) { return !events_.empty(); });

#ifdef __clang__
#define TENOR_THREAD_ANNOTATION_(x) __attribute__((x))
#else
#define TENOR_THREAD_ANNOTATION_(x)
#endif

#define TENOR_CAPABILITY(x) TENOR_THREAD_ANNOTATION_(capability(x))
#define TENOR_SCOPED_CAPABILITY TENOR_THREAD_ANNOTATION_(scoped_lockable)
#define TENOR_GUARDED_BY(x) TENOR_THREAD_ANNOTATION_(guarded_by(x))
#define TENOR_PT_GUARDED_BY(x) TENOR_THREAD_ANNOTATION_(pt_guarded_by(x))
#define TENOR_ACQUIRED_BEFORE(...) TENOR_THREAD_ANNOTATION_(acquired_before(__VA_ARGS__))
#define TENOR_ACQUIRED_AFTER(...) TENOR_THREAD_ANNOTATION_(acquired_after(__VA_ARGS__))
#define TENOR_REQUIRES(...) TENOR_THREAD_ANNOTATION_(requires_capability(__VA_ARGS__))
#define TENOR_EXCLUDES(...) TENOR_THREAD_ANNOTATION_(locks_excluded(__VA_ARGS__))
#define TENOR_ACQUIRE(...) TENOR_THREAD_ANNOTATION_(acquire_capability(__VA_ARGS__))
#define TENOR_RELEASE(...) TENOR_THREAD_ANNOTATION_(release_capability(__VA_ARGS__))
#define TENOR_TRY_ACQUIRE(...) TENOR_THREAD_ANNOTATION_(try_acquire_capability(__VA_ARGS__))
#define TENOR_RETURN_CAPABILITY(x) TENOR_THREAD_ANNOTATION_(lock_returned(x))
#define TENOR_NO_THREAD_SAFETY_ANALYSIS TENOR_THREAD_ANNOTATION_(no_thread_safety_analysis)

namespace tenor {

// Not recursive. Thread-safe.
class TENOR_CAPABILITY("mutex") Mutex {
 public:
  Mutex() = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  void Lock() TENOR_ACQUIRE() { mutex_.lock(); }
  void Unlock() TENOR_RELEASE() { mutex_.unlock(); }
  bool TryLock() TENOR_TRY_ACQUIRE(true) { return mutex_.try_lock(); }

 private:
  friend class CondVar;
  std::mutex mutex_;
};

// Holds the mutex for its own life. Lives on one thread's stack.
class TENOR_SCOPED_CAPABILITY MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) TENOR_ACQUIRE(mutex) : mutex_(mutex) { mutex_.Lock(); }
  ~MutexLock() TENOR_RELEASE() { mutex_.Unlock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex& mutex_;
};

// Thread-safe. Each CondVar is used with one mutex. The predicate runs with the mutex held.
class CondVar {
 public:
  CondVar() = default;
  CondVar(const CondVar&) = delete;
  CondVar& operator=(const CondVar&) = delete;

  // Returns once predicate() is true.
  template <typename Predicate>
  void Wait(Mutex& mutex, Predicate predicate)
      TENOR_REQUIRES(mutex) TENOR_NO_THREAD_SAFETY_ANALYSIS {
    std::unique_lock<std::mutex> lock(mutex.mutex_, std::adopt_lock);
    condition_.wait(lock, std::move(predicate));
    lock.release();
  }

  // Returns once predicate() is true or `timeout` of real time is over: the predicate's last value.
  template <typename Predicate>
  bool WaitFor(Mutex& mutex, absl::Duration timeout, Predicate predicate)
      TENOR_REQUIRES(mutex) TENOR_NO_THREAD_SAFETY_ANALYSIS {
    // Keeps the deadline inside what the clock can represent.
    const absl::Duration longest = absl::Hours(24 * 365);
    std::unique_lock<std::mutex> lock(mutex.mutex_, std::adopt_lock);
    const bool held = condition_.wait_for(
        lock, absl::ToChronoNanoseconds(std::min(timeout, longest)), std::move(predicate));
    lock.release();
    return held;
  }

  void NotifyOne() { condition_.notify_one(); }
  void NotifyAll() { condition_.notify_all(); }

 private:
  std::condition_variable condition_;
};

}  // namespace tenor

#endif  // TENOR_BASE_MUTEX_H_

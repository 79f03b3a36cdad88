#ifndef TENOR_TESTS_SIM_PROCESS_H_
#define TENOR_TESTS_SIM_PROCESS_H_

#include <deque>
#include <functional>
#include <string>
#include <utility>

#include "absl/time/time.h"
#include "server/core/names.h"
#include "tests/sim/event_queue.h"

namespace tenor::sim {

enum class Role { kServer, kWorker };

// One end of one stream, numbered in order of opening; 0 = none.
using StreamNumber = uint64_t;

// One simulated operating system process: from its start to its death. Single-threaded.
class Process {
 public:
  Process(Role role, int index, ProcessNumber number, Millis started)
      : role_(role), index_(index), number_(number), started_(started) {}
  virtual ~Process() = default;
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  // Its first actions, right after it was made.
  virtual void Start() = 0;
  // Every 40 to 60 ms.
  virtual void Tick() = 0;
  // One line for the end of a trace.
  virtual std::string Describe() const = 0;
  // An end that this process holds is closed. Nothing of the stream follows. A process may hold
  // both ends of one stream.
  virtual void ClientStreamLost(StreamNumber stream) = 0;
  virtual void ServerStreamLost(StreamNumber stream) = 0;

  Role role() const { return role_; }
  int index() const { return index_; }
  ProcessNumber number() const { return number_; }
  ProcessId id() const { return {static_cast<uint64_t>(number_)}; }
  Millis started() const { return started_; }
  // The process's own monotonic clock.
  absl::Duration Clock(Millis now) const { return absl::Milliseconds(now - started_); }

  bool alive() const { return alive_; }
  // Of a dead process.
  Millis died() const { return died_; }
  bool paused() const { return paused_; }
  void Die(Millis now) {
    alive_ = false;
    died_ = now;
    backlog_.clear();
  }
  void Pause() { paused_ = true; }
  void Hold(std::function<void()> action) { backlog_.push_back(std::move(action)); }
  // Ends the pause; returns what came meanwhile.
  std::deque<std::function<void()>> Wake() {
    paused_ = false;
    return std::exchange(backlog_, {});
  }

 private:
  const Role role_;
  const int index_;
  const ProcessNumber number_;
  const Millis started_;
  bool alive_ = true;
  Millis died_ = 0;
  bool paused_ = false;
  std::deque<std::function<void()>> backlog_;
};

}  // namespace tenor::sim

#endif  // TENOR_TESTS_SIM_PROCESS_H_

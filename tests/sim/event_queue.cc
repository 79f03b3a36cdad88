#include "tests/sim/event_queue.h"

#include <algorithm>
#include <utility>

namespace tenor::sim {
namespace {

bool Later(const Occurrence& a, const Occurrence& b) {
  return a.time != b.time ? a.time > b.time : a.sequence > b.sequence;
}

}  // namespace

void EventQueue::At(Millis time, ProcessNumber process, std::function<void()> action) {
  heap_.push_back({std::max(time, now_), scheduled_++, process, std::move(action)});
  std::push_heap(heap_.begin(), heap_.end(), Later);
}

std::optional<Occurrence> EventQueue::Next(Millis until) {
  if (heap_.empty() || heap_.front().time > until) {
    now_ = std::max(now_, until);
    return std::nullopt;
  }
  std::pop_heap(heap_.begin(), heap_.end(), Later);
  Occurrence occurrence = std::move(heap_.back());
  heap_.pop_back();
  now_ = occurrence.time;
  return occurrence;
}

}  // namespace tenor::sim

#ifndef TENOR_DATA_ORDERED_PIPELINE_H_
#define TENOR_DATA_ORDERED_PIPELINE_H_

#include <algorithm>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/mutex.h"

namespace tenor {

// Runs a function over items on several threads and hands the results out in the order of the
// items, so that the number of threads cannot be seen in them. Put, Take and size belong to one
// thread; the function runs on the pipeline's own, several at a time. The destructor waits for the
// items that are being worked on and drops the others.
template <typename In, typename Out>
class OrderedPipeline {
 public:
  // At least one thread.
  OrderedPipeline(int threads, std::function<Out(In)> function) : function_(std::move(function)) {
    for (int i = 0; i < std::max(1, threads); ++i) {
      threads_.emplace_back([this] { Work(); });
    }
  }

  ~OrderedPipeline() {
    {
      MutexLock lock(mutex_);
      is_closed_ = true;
    }
    changed_.NotifyAll();
    for (std::thread& thread : threads_) thread.join();
  }

  OrderedPipeline(const OrderedPipeline&) = delete;
  OrderedPipeline& operator=(const OrderedPipeline&) = delete;

  // Never waits: the caller bounds size().
  void Put(In in) {
    auto item = std::make_shared<Item>();
    item->in = std::move(in);
    oldest_first_.push_back(item);
    {
      MutexLock lock(mutex_);
      waiting_.push_back(std::move(item));
    }
    changed_.NotifyAll();
  }

  // Waits for the result of the oldest item. REQUIRES: size() > 0.
  Out Take() {
    CHECK(!oldest_first_.empty());
    const std::shared_ptr<Item> item = std::move(oldest_first_.front());
    oldest_first_.pop_front();
    MutexLock lock(mutex_);
    changed_.Wait(mutex_, [&item] { return item->out.has_value(); });
    return *std::move(item->out);
  }

  // Items put and not taken.
  size_t size() const { return oldest_first_.size(); }

 private:
  struct Item {
    In in;
    std::optional<Out> out;  // guarded by mutex_
  };

  std::shared_ptr<Item> NextItem() {
    MutexLock lock(mutex_);
    changed_.Wait(mutex_,
                  [this]() TENOR_REQUIRES(mutex_) { return is_closed_ || !waiting_.empty(); });
    if (is_closed_) return nullptr;
    std::shared_ptr<Item> item = std::move(waiting_.front());
    waiting_.pop_front();
    return item;
  }

  void Work() {
    while (const std::shared_ptr<Item> item = NextItem()) {
      Out out = function_(std::move(item->in));
      {
        MutexLock lock(mutex_);
        item->out = std::move(out);
      }
      changed_.NotifyAll();
    }
  }

  const std::function<Out(In)> function_;
  std::deque<std::shared_ptr<Item>> oldest_first_;  // of the calling thread
  Mutex mutex_;
  CondVar changed_;
  std::deque<std::shared_ptr<Item>> waiting_ TENOR_GUARDED_BY(mutex_);
  bool is_closed_ TENOR_GUARDED_BY(mutex_) = false;
  std::vector<std::thread> threads_;
};

}  // namespace tenor

#endif  // TENOR_DATA_ORDERED_PIPELINE_H_

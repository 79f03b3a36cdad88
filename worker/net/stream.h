#ifndef TENOR_WORKER_NET_STREAM_H_
#define TENOR_WORKER_NET_STREAM_H_

#include <grpcpp/grpcpp.h>

#include <deque>
#include <functional>
#include <memory>
#include <utility>

#include "base/mutex.h"

namespace tenor {

// The client's side of one bidirectional stream: a queue of what is to be written, and a function
// that gets what arrives. Lives until gRPC is done with it. Its owner keeps it until it is told of
// the end.
//
//   auto stream = std::make_shared<ClientStream<Out, In>>(on_message);
//   async_stub->Call(stream->context(), stream.get());
//   stream->Begin(stream);
//
// Thread-safe.
template <typename Out, typename In>
class ClientStream : public grpc::ClientBidiReactor<Out, In> {
 public:
  // Called on gRPC's threads, one message after another.
  explicit ClientStream(std::function<void(const In&)> on_message)
      : on_message_(std::move(on_message)) {}

  grpc::ClientContext* context() { return &context_; }

  // Once, after the stub has taken the reactor.
  void Begin(std::shared_ptr<ClientStream> self) {
    self_ = std::move(self);
    this->AddHold();
    this->StartRead(&in_);
    this->StartCall();
  }

  // Dropped where the stream has ended.
  void Send(Out out) TENOR_EXCLUDES(mu_) {
    const Out* next = nullptr;
    {
      MutexLock lock(mu_);
      if (closing_) return;
      queue_.push_back(std::move(out));
      if (writing_) return;
      writing_ = true;
      ++writes_;
      next = &queue_.front();
    }
    this->StartWrite(next);
    FinishStart();
  }

  void Cancel() { context_.TryCancel(); }

  // Before Begin. Called once, as the last thing that gRPC's thread does with the stream: whoever
  // is told may let go of it and of everything that it was told by.
  void set_on_end(std::function<void(const grpc::Status&)> on_end) { on_end_ = std::move(on_end); }

  void OnReadDone(bool ok) override {
    if (ok) {
      on_message_(in_);
      this->StartRead(&in_);
      return;
    }
    bool release = false;
    {
      MutexLock lock(mu_);
      closing_ = true;
      release = writes_ == 0;
      held_ = !release;
    }
    if (release) this->RemoveHold();
  }

  void OnWriteDone(bool ok) override {
    const Out* next = nullptr;
    {
      MutexLock lock(mu_);
      queue_.pop_front();
      if (ok && !closing_ && !queue_.empty()) {
        next = &queue_.front();
      } else {
        writing_ = false;
        if (!ok) closing_ = true;
      }
    }
    if (next != nullptr) this->StartWrite(next);
  }

  void OnDone(const grpc::Status& status) override {
    const std::function<void(const grpc::Status&)> on_end = on_end_;
    const grpc::Status ended = status;
    self_.reset();
    on_end(ended);
  }

 private:
  // The hold may go only when no StartWrite from outside is under way.
  void FinishStart() TENOR_EXCLUDES(mu_) {
    bool release = false;
    {
      MutexLock lock(mu_);
      release = --writes_ == 0 && held_;
      if (release) held_ = false;
    }
    if (release) this->RemoveHold();
  }

  const std::function<void(const In&)> on_message_;
  std::function<void(const grpc::Status&)> on_end_;
  grpc::ClientContext context_;
  std::shared_ptr<ClientStream> self_;
  In in_;

  mutable Mutex mu_;
  std::deque<Out> queue_ TENOR_GUARDED_BY(mu_);
  bool writing_ TENOR_GUARDED_BY(mu_) = false;
  bool closing_ TENOR_GUARDED_BY(mu_) = false;
  int writes_ TENOR_GUARDED_BY(mu_) = 0;     // StartWrite calls from Send under way
  bool held_ TENOR_GUARDED_BY(mu_) = false;  // the read has ended, the hold waits for writes_
};

}  // namespace tenor

#endif  // TENOR_WORKER_NET_STREAM_H_

// Observe and Admin: what operators see and change.
#include <memory>
#include <string>
#include <utility>

#include "grpcpp/server_context.h"
#include "grpcpp/support/server_callback.h"
#include "proto/wire.grpc.pb.h"
#include "server/net/rpc_services.h"
#include "server/net/status_view.h"
#include "server/net/write_queue.h"
#include "server/runner/run_paths.h"

namespace tenor {
namespace {

constexpr size_t kMaxQueued = 2 * Feed<std::string>::kKept;

grpc::Status ToGrpc(const absl::Status& status) {
  return grpc::Status(static_cast<grpc::StatusCode>(status.code()), std::string(status.message()));
}

// Follows a feed until the client leaves, or sends what is kept. Deletes itself when gRPC is done.
template <typename Item, typename Line>
class FeedStream : public grpc::ServerWriteReactor<Line> {
 public:
  using Convert = Line (*)(const Item&);

  FeedStream(Feed<Item>& feed, bool from_start, bool follow, Convert convert)
      : feed_(feed), queue_(kMaxQueued) {
    this->StartSendInitialMetadata();
    number_ = feed_.Follow(from_start, [this, convert](const Item& item) { Send(convert(item)); });
    if (!follow) Do(queue_.Close(true));
  }

  void OnCancel() override { Do(queue_.Close(false)); }

  void OnWriteDone(bool ok) override {
    if (!ok) queue_.Close(false);
    Do(queue_.WriteEnded().first);
  }

  void OnDone() override {
    feed_.Unfollow(number_);
    delete this;
  }

 private:
  void Send(Line line) {
    bool full = false;
    Do(queue_.Add(std::move(line), &full));
    if (full) Do(queue_.Close(false));
  }

  void Do(WriteAction action) {
    if (action == WriteAction::kWrite) this->StartWrite(&queue_.Front());
    if (action == WriteAction::kFinish) this->Finish(grpc::Status::OK);
  }

  Feed<Item>& feed_;
  uint64_t number_ = 0;
  WriteQueue<Line> queue_;
};

wire::EventLine ToEventLine(const std::string& json) {
  wire::EventLine line;
  line.set_json(json);
  return line;
}

template <typename Line>
class RefusedWriter : public grpc::ServerWriteReactor<Line> {
 public:
  explicit RefusedWriter(const grpc::Status& status) { this->Finish(status); }
  void OnDone() override { delete this; }
};

class ObserveRpc : public wire::Observe::CallbackService {
 public:
  ObserveRpc(OperatorService* operators, OperatorFacts facts, std::string elsewhere)
      : operators_(operators),
        facts_(std::move(facts)),
        elsewhere_(grpc::StatusCode::UNAVAILABLE, std::move(elsewhere)) {}

  grpc::ServerUnaryReactor* GetStatus(grpc::CallbackServerContext* context,
                                      const wire::StatusRequest*, wire::RunStatus* reply) override {
    grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
    if (operators_ == nullptr) {
      reactor->Finish(elsewhere_);
      return reactor;
    }
    *reply = ToRunStatus(*operators_->View());
    reply->set_run(facts_.run);
    reply->set_version_text(facts_.version_text);
    *reply->mutable_stop() = facts_.stop;
    reply->set_admin_address(facts_.admin_address());
    reactor->Finish(grpc::Status::OK);
    return reactor;
  }

  grpc::ServerWriteReactor<wire::StepLine>* Watch(grpc::CallbackServerContext*,
                                                  const wire::WatchRequest*) override {
    if (operators_ == nullptr) return new RefusedWriter<wire::StepLine>(elsewhere_);
    return new FeedStream<StepRecord, wire::StepLine>(operators_->journal().steps(), false, true,
                                                      ToStepLine);
  }

  grpc::ServerWriteReactor<wire::EventLine>* Events(grpc::CallbackServerContext*,
                                                    const wire::EventsRequest* request) override {
    if (operators_ == nullptr) return new RefusedWriter<wire::EventLine>(elsewhere_);
    return new FeedStream<std::string, wire::EventLine>(operators_->journal().events(), true,
                                                        request->follow(), ToEventLine);
  }

 private:
  OperatorService* const operators_;
  const OperatorFacts facts_;
  const grpc::Status elsewhere_;
};

class AdminRpc : public wire::Admin::CallbackService {
 public:
  explicit AdminRpc(OperatorService& operators) : operators_(operators) {}

  grpc::ServerUnaryReactor* Set(grpc::CallbackServerContext* context,
                                const wire::SetRequest* request, wire::SetReply* reply) override {
    grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
    operators_.Set(request->change(), request->at_step(), request->dry_run(),
                   [reactor, reply](const Reply& answer) {
                     reply->set_from_step(answer.from_step);
                     *reply->mutable_accepted() = answer.accepted;
                     reply->set_sentence(answer.sentence);
                     reactor->Finish(ToGrpc(answer.status));
                   });
    return reactor;
  }

  grpc::ServerUnaryReactor* Stop(grpc::CallbackServerContext* context,
                                 const wire::StopRequest* request,
                                 wire::StopReply* reply) override {
    grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
    operators_.StopRun(request->reason(), [reactor, reply](const Reply& answer) {
      reply->set_sentence(answer.sentence);
      reactor->Finish(ToGrpc(answer.status));
    });
    return reactor;
  }

  grpc::ServerUnaryReactor* CheckpointNow(grpc::CallbackServerContext* context,
                                          const wire::CheckpointNowRequest*,
                                          wire::CheckpointNowReply* reply) override {
    grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
    operators_.CheckpointNow([reactor, reply](const Reply& answer) {
      if (answer.status.ok()) reply->set_directory(CheckpointDirectoryName(answer.checkpoint));
      reply->set_version(answer.checkpoint.version);
      reactor->Finish(ToGrpc(answer.status));
    });
    return reactor;
  }

  grpc::ServerUnaryReactor* Evict(grpc::CallbackServerContext* context,
                                  const wire::EvictRequest* request,
                                  wire::EvictReply* reply) override {
    grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
    operators_.Evict(request->name(), [reactor, reply](const Reply& answer) {
      reply->set_sentence(answer.sentence);
      reactor->Finish(ToGrpc(answer.status));
    });
    return reactor;
  }

 private:
  OperatorService& operators_;
};

}  // namespace

std::unique_ptr<grpc::Service> MakeObserveRpc(OperatorService* operators, OperatorFacts facts,
                                              std::string elsewhere) {
  return std::make_unique<ObserveRpc>(operators, std::move(facts), std::move(elsewhere));
}

std::unique_ptr<grpc::Service> MakeAdminRpc(OperatorService& operators) {
  return std::make_unique<AdminRpc>(operators);
}

}  // namespace tenor

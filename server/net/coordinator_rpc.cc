// Coordinator service: the job, and the control streams of workers and shards.
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "grpcpp/server_context.h"
#include "grpcpp/support/server_callback.h"
#include "proto/wire.grpc.pb.h"
#include "server/net/rpc_services.h"
#include "server/net/wire.h"
#include "server/net/write_queue.h"

namespace tenor {
namespace {

// Control messages are few and are repeated: a peer that lets so many pile up is not reading.
constexpr size_t kMaxQueued = 1024;
constexpr int kProtocol = 1;

// One control stream. Deletes itself when gRPC is done with it.
template <typename In, typename Out>
class ControlStream : public grpc::ServerBidiReactor<In, Out> {
 public:
  explicit ControlStream(CoordinatorService& service) : service_(service), queue_(kMaxQueued) {
    // The peer learns that somebody listens before there is a message for it.
    this->StartSendInitialMetadata();
  }

  void Begin(ConnectionId connection) {
    connection_ = connection;
    this->StartRead(&in_);
  }

  void Send(Out message) {
    bool full = false;
    Do(queue_.Add(std::move(message), &full));
    if (full) Do(queue_.Close(false));
  }

  void OnReadDone(bool ok) override {
    if (!ok) {
      Do(queue_.Close(false));
      return;
    }
    auto message = FromWire(in_);
    if (!message.ok()) {
      status_ =
          grpc::Status(grpc::StatusCode::INVALID_ARGUMENT, std::string(message.status().message()));
      Do(queue_.Close(false));
      return;
    }
    service_.Receive(connection_, *std::move(message));
    this->StartRead(&in_);
  }

  void OnWriteDone(bool ok) override {
    // The stream is broken: what waits is dropped.
    if (!ok) queue_.Close(false);
    Do(queue_.WriteEnded().first);
  }

  void OnDone() override {
    service_.Detach(connection_);
    delete this;
  }

 private:
  void Do(WriteAction action) {
    if (action == WriteAction::kWrite) this->StartWrite(&queue_.Front());
    if (action == WriteAction::kFinish) this->Finish(status_);
  }

  CoordinatorService& service_;
  ConnectionId connection_;
  In in_;
  grpc::Status status_;
  WriteQueue<Out> queue_;
};

using WorkerStream = ControlStream<wire::WorkerMessage, wire::CoordinatorToWorker>;
using ShardStream = ControlStream<wire::Status, wire::CoordinatorToShard>;

// Ends at once, for a server without a coordinator.
template <typename In, typename Out>
class RefusedStream : public grpc::ServerBidiReactor<In, Out> {
 public:
  explicit RefusedStream(const grpc::Status& status) { this->Finish(status); }
  void OnDone() override { delete this; }
};

class CoordinatorRpc : public wire::Coordinator::CallbackService {
 public:
  CoordinatorRpc(CoordinatorService* service, std::string elsewhere)
      : service_(service), elsewhere_(grpc::StatusCode::UNAVAILABLE, std::move(elsewhere)) {}

  grpc::ServerUnaryReactor* GetJob(grpc::CallbackServerContext* context,
                                   const wire::GetJobRequest* request,
                                   wire::GetJobReply* reply) override {
    grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
    if (service_ == nullptr) {
      reactor->Finish(elsewhere_);
    } else if (request->protocol() != kProtocol) {
      reactor->Finish(
          {grpc::StatusCode::FAILED_PRECONDITION,
           absl::StrCat("the server speaks protocol ", kProtocol, ", the worker protocol ",
                        request->protocol(), ": run the same release on both")});
    } else {
      *reply->mutable_job() = service_->job();
      reply->set_run_name(std::string(service_->run_name()));
      reactor->Finish(grpc::Status::OK);
    }
    return reactor;
  }

  grpc::ServerBidiReactor<wire::WorkerMessage, wire::CoordinatorToWorker>* Member(
      grpc::CallbackServerContext* context) override {
    if (service_ == nullptr) {
      return new RefusedStream<wire::WorkerMessage, wire::CoordinatorToWorker>(elsewhere_);
    }
    auto* stream = new WorkerStream(*service_);
    stream->Begin(service_->AttachWorker(
        context->peer(),
        [stream](const CoordinatorToWorker& message) { stream->Send(ToWire(message)); }));
    return stream;
  }

  grpc::ServerBidiReactor<wire::Status, wire::CoordinatorToShard>* ShardControl(
      grpc::CallbackServerContext* context) override {
    if (service_ == nullptr) {
      return new RefusedStream<wire::Status, wire::CoordinatorToShard>(elsewhere_);
    }
    auto* stream = new ShardStream(*service_);
    stream->Begin(service_->AttachShard(
        context->peer(),
        [stream](const CoordinatorToShard& message) { stream->Send(ToWire(message)); }));
    return stream;
  }

 private:
  CoordinatorService* const service_;
  const grpc::Status elsewhere_;
};

}  // namespace

std::unique_ptr<grpc::Service> MakeCoordinatorRpc(CoordinatorService* coordinator,
                                                  std::string elsewhere) {
  return std::make_unique<CoordinatorRpc>(coordinator, std::move(elsewhere));
}

}  // namespace tenor

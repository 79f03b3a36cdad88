// Shard service: data streams, on raw buffers so that payloads are not copied.
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "grpcpp/server_context.h"
#include "grpcpp/support/byte_buffer.h"
#include "grpcpp/support/server_callback.h"
#include "proto/wire.grpc.pb.h"
#include "server/net/frame_buffer.h"
#include "server/net/rpc_services.h"
#include "server/net/write_queue.h"

namespace tenor {
namespace {

// Answers to pushes are small; chunks are bounded by the shard's pull window.
constexpr size_t kMaxQueued = 16384;

struct Outgoing {
  grpc::ByteBuffer buffer;
  std::optional<Chunk> chunk;  // whose completion the shard waits for
};

// One data stream. Deletes itself when gRPC is done with it.
class DataStream : public grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer> {
 public:
  DataStream(ShardService& service, grpc::CallbackServerContext* context)
      : service_(service), context_(context), queue_(kMaxQueued) {
    StartSendInitialMetadata();
    connection_ = service.Attach(
        context->peer(),
        [this](const ShardToWorker& message, Payload payload) { Send(message, payload); },
        [this] { context_->TryCancel(); });
    StartRead(&in_);
  }

  void OnReadDone(bool ok) override {
    if (!ok) {
      Do(queue_.Close(false));
      return;
    }
    auto frame = DecodeWorkerFrame(in_);
    in_.Clear();
    if (!frame.ok()) {
      status_ =
          grpc::Status(grpc::StatusCode::INVALID_ARGUMENT, std::string(frame.status().message()));
      Do(queue_.Close(false));
      return;
    }
    service_.Receive(connection_, std::move(frame->first), std::move(frame->second));
    StartRead(&in_);
  }

  void OnWriteDone(bool ok) override {
    if (!ok) queue_.Close(false);
    auto [action, ended] = queue_.WriteEnded();
    if (ended.chunk) service_.SendDone(connection_, *ended.chunk);
    Do(action);
  }

  void OnDone() override {
    for (const Outgoing& rest : queue_.TakeRest()) {
      if (rest.chunk) service_.SendDone(connection_, *rest.chunk);
    }
    service_.Detach(connection_);
    delete this;
  }

 private:
  void Send(const ShardToWorker& message, const Payload& payload) {
    Outgoing outgoing{EncodeFrame(message, payload), std::nullopt};
    if (const auto* chunk = std::get_if<Chunk>(&message)) outgoing.chunk = *chunk;
    bool full = false;
    const WriteAction action = queue_.Add(std::move(outgoing), &full);
    // The chunk of a stream that closes is completed by Detach.
    if (full) context_->TryCancel();
    Do(action);
  }

  void Do(WriteAction action) {
    if (action == WriteAction::kWrite) StartWrite(&queue_.Front().buffer);
    if (action == WriteAction::kFinish) Finish(status_);
  }

  ShardService& service_;
  grpc::CallbackServerContext* const context_;
  ConnectionId connection_;
  grpc::ByteBuffer in_;
  grpc::Status status_;
  WriteQueue<Outgoing> queue_;
};

class ShardRpc : public wire::Shard::WithRawCallbackMethod_Exchange<wire::Shard::Service> {
 public:
  explicit ShardRpc(ShardService& service) : service_(service) {}

  grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>* Exchange(
      grpc::CallbackServerContext* context) override {
    return new DataStream(service_, context);
  }

 private:
  ShardService& service_;
};

}  // namespace

std::unique_ptr<grpc::Service> MakeShardRpc(ShardService& shard) {
  return std::make_unique<ShardRpc>(shard);
}

}  // namespace tenor

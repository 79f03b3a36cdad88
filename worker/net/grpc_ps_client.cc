#include "worker/net/grpc_ps_client.h"

#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>

#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/mutex.h"
#include "proto/wire.grpc.pb.h"
#include "server/net/frame.h"
#include "server/net/frame_buffer.h"
#include "server/net/wire.h"
#include "worker/net/backoff.h"
#include "worker/net/stream.h"

namespace tenor {
namespace {

constexpr absl::Duration kConnectTimeout = absl::Seconds(2);

std::chrono::system_clock::time_point After(absl::Duration wait) {
  return std::chrono::system_clock::now() + absl::ToChronoMilliseconds(wait);
}

absl::Status FromGrpc(const grpc::Status& status, absl::string_view address) {
  const std::string text =
      status.ok() ? "the stream was closed by the other side" : status.error_message();
  return absl::Status(static_cast<absl::StatusCode>(status.ok() ? grpc::StatusCode::UNAVAILABLE
                                                                : status.error_code()),
                      absl::StrCat(address, ": ", text));
}

std::shared_ptr<grpc::Channel> NewChannel(const std::string& address, absl::Duration keepalive) {
  grpc::ChannelArguments args;
  const int milliseconds = static_cast<int>(absl::ToInt64Milliseconds(keepalive));
  args.SetMaxReceiveMessageSize(static_cast<int>(kMaxMessageBytes));
  args.SetMaxSendMessageSize(static_cast<int>(kMaxMessageBytes));
  args.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, milliseconds);
  args.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, milliseconds);
  args.SetInt(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
  args.SetInt(GRPC_ARG_MIN_RECONNECT_BACKOFF_MS, 100);
  args.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, 100);
  args.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, 1000);
  args.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  args.SetInt(GRPC_ARG_HTTP2_BDP_PROBE, 0);
  args.SetInt(GRPC_ARG_HTTP2_STREAM_LOOKAHEAD_BYTES, 16 << 20);
  args.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  return grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(), args);
}

// Keeps one stream to one address open. The stream's types are those of `Open`.
template <typename Out, typename In>
class Link {
 public:
  using StreamType = ClientStream<Out, In>;
  struct Handlers {
    // Hands the reactor of `stream` to a stub on `channel`.
    std::function<void(const std::shared_ptr<grpc::Channel>&, StreamType*)> open;
    std::function<void()> connected;
    std::function<void(const absl::Status&)> lost;
    std::function<void(const In&)> message;
  };

  Link(std::string address, absl::Duration keepalive, uint64_t seed, Handlers handlers)
      : handlers_(std::move(handlers)),
        keepalive_(keepalive),
        backoff_(seed),
        address_(std::move(address)),
        thread_([this] { Run(); }) {}

  ~Link() { Stop(); }

  void Send(Out out) {
    if (std::shared_ptr<StreamType> stream = Current()) stream->Send(std::move(out));
  }

  // To another address, or to the same one anew.
  void Reopen(std::string address) {
    MutexLock lock(mu_);
    address_ = std::move(address);
    wake_ = true;
    if (stream_) stream_->Cancel();
    changed_.NotifyAll();
  }

  void Stop() {
    {
      MutexLock lock(mu_);
      stopped_ = true;
      if (stream_) stream_->Cancel();
      changed_.NotifyAll();
    }
    if (thread_.joinable()) thread_.join();
  }

 private:
  std::shared_ptr<StreamType> Current() {
    MutexLock lock(mu_);
    return stream_;
  }

  std::optional<std::string> Address() {
    MutexLock lock(mu_);
    wake_ = false;
    if (stopped_) return std::nullopt;
    return address_;
  }

  void Run() {
    while (std::optional<std::string> address = Address()) {
      if (RunOnce(*address)) backoff_.Reset();
      MutexLock lock(mu_);
      changed_.WaitFor(mu_, backoff_.Next(),
                       [this]() TENOR_REQUIRES(mu_) { return stopped_ || wake_; });
    }
  }

  // One connection from its opening to its end; false if there was none.
  bool RunOnce(const std::string& address) {
    std::shared_ptr<grpc::Channel> channel = NewChannel(address, keepalive_);
    if (!channel->WaitForConnected(After(kConnectTimeout))) return false;
    auto stream = std::make_shared<StreamType>(handlers_.message);
    stream->set_on_end([this](const grpc::Status& status) {
      MutexLock lock(mu_);
      ended_ = status;
      changed_.NotifyAll();
    });
    handlers_.open(channel, stream.get());
    if (!Publish(stream)) return false;
    handlers_.connected();
    const grpc::Status status = WaitForEnd();
    handlers_.lost(FromGrpc(status, address));
    return true;
  }

  // Begins it in any case: gRPC lets go of a reactor only after its call has run.
  bool Publish(const std::shared_ptr<StreamType>& stream) {
    {
      MutexLock lock(mu_);
      ended_.reset();
      stream_ = stream;
    }
    stream->Begin(stream);
    MutexLock lock(mu_);
    if (!stopped_) return true;
    stream->Cancel();
    WaitForEndLocked();
    return false;
  }

  grpc::Status WaitForEnd() {
    MutexLock lock(mu_);
    return WaitForEndLocked();
  }

  grpc::Status WaitForEndLocked() TENOR_REQUIRES(mu_) {
    changed_.Wait(mu_, [this]() TENOR_REQUIRES(mu_) { return ended_.has_value(); });
    stream_ = nullptr;
    return *ended_;
  }

  const Handlers handlers_;
  const absl::Duration keepalive_;
  Backoff backoff_;  // of the thread
  Mutex mu_;
  CondVar changed_;
  std::string address_ TENOR_GUARDED_BY(mu_);
  std::shared_ptr<StreamType> stream_ TENOR_GUARDED_BY(mu_);
  std::optional<grpc::Status> ended_ TENOR_GUARDED_BY(mu_);  // of stream_
  bool wake_ TENOR_GUARDED_BY(mu_) = false;
  bool stopped_ TENOR_GUARDED_BY(mu_) = false;
  std::thread thread_;  // last
};

using ControlLink = Link<wire::WorkerMessage, wire::CoordinatorToWorker>;
using DataLink = Link<grpc::ByteBuffer, grpc::ByteBuffer>;

class GrpcPsClient : public PsClient {
 public:
  explicit GrpcPsClient(GrpcPsClientOptions options) : options_(std::move(options)) {}
  ~GrpcPsClient() override { Stop(); }

  absl::StatusOr<spec::JobSpec> GetJob(absl::Duration timeout) override {
    std::shared_ptr<grpc::Channel> channel = NewChannel(options_.coordinator, options_.keepalive);
    auto stub = wire::Coordinator::NewStub(channel);
    grpc::ClientContext context;
    context.set_wait_for_ready(true);
    context.set_deadline(After(timeout));
    wire::GetJobRequest request;
    request.set_protocol(1);
    wire::GetJobReply reply;
    const grpc::Status status = stub->GetJob(&context, request, &reply);
    if (!status.ok()) return Explain(status);
    if (!options_.run_name.empty() && reply.run_name() != options_.run_name) {
      return absl::FailedPreconditionError(
          absl::StrCat("the servers at ", options_.coordinator, " train the run '",
                       reply.run_name(), "', this worker was started for '", options_.run_name,
                       "': give another --coordinator or --run_name"));
    }
    return reply.job();
  }

  void Start(PsClientObserver* observer) override {
    observer_ = observer;
    ControlLink::Handlers handlers;
    handlers.open = [](const std::shared_ptr<grpc::Channel>& channel,
                       ControlLink::StreamType* stream) {
      wire::Coordinator::NewStub(channel)->async()->Member(stream->context(), stream);
    };
    handlers.connected = [observer] { observer->OnCoordinatorConnected(); };
    handlers.lost = [observer](const absl::Status& why) { observer->OnCoordinatorLost(why); };
    handlers.message = [observer](const wire::CoordinatorToWorker& message) {
      absl::StatusOr<CoordinatorToWorker> parsed = FromWire(message);
      if (parsed.ok()) observer->OnCoordinatorMessage(*std::move(parsed));
    };
    control_ = std::make_unique<ControlLink>(options_.coordinator, options_.keepalive,
                                             RandomBits(options_.seed, 1, 0), std::move(handlers));
  }

  void FindCoordinator() override { control_->Reopen(options_.coordinator); }

  void ConnectShards(const std::vector<ShardAddress>& shards) override {
    MutexLock lock(mu_);
    for (size_t k = 0; k < shards.size(); ++k) ConnectShard(k, shards[k]);
  }

  void SendToCoordinator(const WorkerMessage& message) override { control_->Send(ToWire(message)); }

  void SendToShard(int shard, const WorkerToShard& message, Payload payload) override {
    MutexLock lock(mu_);
    if (static_cast<size_t>(shard) >= data_.size() || !data_[shard]) return;
    data_[shard]->Send(EncodeFrame(message, payload));
  }

  void Stop() override {
    if (control_) control_->Stop();
    MutexLock lock(mu_);
    for (std::unique_ptr<DataLink>& link : data_) {
      if (link) link->Stop();
    }
  }

 private:
  absl::Status Explain(const grpc::Status& status) const {
    if (status.error_code() == grpc::StatusCode::DEADLINE_EXCEEDED ||
        status.error_code() == grpc::StatusCode::UNAVAILABLE) {
      return absl::UnavailableError(absl::StrCat("no coordinator answers at ", options_.coordinator,
                                                 ": ", status.error_message()));
    }
    return FromGrpc(status, options_.coordinator);
  }

  void ConnectShard(size_t k, const ShardAddress& shard) TENOR_REQUIRES(mu_) {
    if (data_.size() <= k) {
      data_.resize(k + 1);
      shards_.resize(k + 1);
    }
    if (shards_[k] == shard) return;
    shards_[k] = shard;
    if (data_[k]) {
      data_[k]->Reopen(shard.address);
    } else {
      data_[k] = NewDataLink(static_cast<int>(k), shard.address);
    }
  }

  std::unique_ptr<DataLink> NewDataLink(int shard, const std::string& address) {
    DataLink::Handlers handlers;
    PsClientObserver* observer = observer_;
    handlers.open = [](const std::shared_ptr<grpc::Channel>& channel,
                       DataLink::StreamType* stream) {
      grpc::GenericStub(channel).PrepareBidiStreamingCall(
          stream->context(), "/tenor.wire.Shard/Exchange", grpc::StubOptions(), stream);
    };
    handlers.connected = [observer, shard] { observer->OnShardConnected(shard); };
    handlers.lost = [observer, shard](const absl::Status& why) {
      observer->OnShardLost(shard, why);
    };
    handlers.message = [observer, shard](const grpc::ByteBuffer& buffer) {
      auto parsed = DecodeShardFrame(buffer);
      if (parsed.ok()) {
        observer->OnShardMessage(shard, std::move(parsed->first), std::move(parsed->second));
      }
    };
    return std::make_unique<DataLink>(address, options_.keepalive,
                                      RandomBits(options_.seed, 2, shard), std::move(handlers));
  }

  const GrpcPsClientOptions options_;
  PsClientObserver* observer_ = nullptr;  // set by Start
  std::unique_ptr<ControlLink> control_;  // set by Start
  Mutex mu_;
  std::vector<std::unique_ptr<DataLink>> data_ TENOR_GUARDED_BY(mu_);
  std::vector<ShardAddress> shards_ TENOR_GUARDED_BY(mu_);
};

}  // namespace

std::unique_ptr<PsClient> MakeGrpcPsClient(GrpcPsClientOptions options) {
  return std::make_unique<GrpcPsClient>(std::move(options));
}

}  // namespace tenor

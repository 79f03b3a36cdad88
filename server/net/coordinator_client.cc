#include "server/net/coordinator_client.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>
#include <utility>

#include "absl/status/status.h"
#include "base/mutex.h"
#include "grpcpp/channel.h"
#include "grpcpp/client_context.h"
#include "grpcpp/create_channel.h"
#include "grpcpp/security/credentials.h"
#include "grpcpp/support/client_callback.h"
#include "proto/wire.grpc.pb.h"
#include "server/net/channel_settings.h"
#include "server/net/wire.h"
#include "server/net/write_queue.h"

namespace tenor {
namespace {

constexpr absl::Duration kFirstBackoff = absl::Milliseconds(100);
constexpr absl::Duration kLastBackoff = absl::Seconds(1);
// A Status is repeated by timer; a coordinator that is so far behind is not reading.
constexpr size_t kMaxQueued = 256;

std::shared_ptr<grpc::Channel> Dial(absl::string_view address) {
  grpc::ChannelArguments arguments;
  for (const ChannelSetting& setting : kChannelSettings) {
    arguments.SetInt(setting.name, setting.value);
  }
  for (const ChannelSetting& setting : kClientSettings) {
    arguments.SetInt(setting.name, setting.value);
  }
  return grpc::CreateCustomChannel(std::string(address), grpc::InsecureChannelCredentials(),
                                   arguments);
}

// One attempt, from dialling to its end. Owned by the client, which waits for Ended.
class Attempt : public grpc::ClientBidiReactor<wire::Status, wire::CoordinatorToShard> {
 public:
  Attempt(const std::string& address, CoordinatorLinkObserver* observer)
      : observer_(observer), stub_(wire::Coordinator::NewStub(Dial(address))), queue_(kMaxQueued) {}

  void Begin() {
    stub_->async()->ShardControl(&context_, this);
    // Writes come from other threads: the stream is held until Close.
    AddHold();
    StartRead(&in_);
    StartCall();
  }

  // The stream's number once it is open.
  std::optional<shard::ConnectionId> connection() {
    MutexLock lock(mu_);
    return connection_;
  }

  void Send(const Status& status) {
    bool full = false;
    Do(queue_.Add(ToWire(status), &full));
    if (full) Cancel();
  }

  void Cancel() { context_.TryCancel(); }

  void OnReadInitialMetadataDone(bool ok) override {
    if (!ok) return;
    const shard::ConnectionId connection = observer_->OnConnected();
    MutexLock lock(mu_);
    connection_ = connection;
  }

  void OnReadDone(bool ok) override {
    if (!ok) {
      Do(queue_.Close(false));
      return;
    }
    auto order = FromWire(in_);
    const std::optional<shard::ConnectionId> from = connection();
    // What cannot be read is of another release; the coordinator repeats what matters.
    if (order.ok() && from) observer_->OnOrder(*from, *std::move(order));
    StartRead(&in_);
  }

  void OnWriteDone(bool ok) override {
    if (!ok) queue_.Close(false);
    Do(queue_.WriteEnded().first);
  }

  void OnDone(const grpc::Status& status) override {
    const std::optional<shard::ConnectionId> lost = connection();
    if (lost) observer_->OnLost(*lost, status.error_message());
    MutexLock lock(mu_);
    ended_ = true;
    changed_.NotifyAll();
  }

  // Whether the call ended within `timeout`.
  bool WaitForEnd(absl::Duration timeout) {
    MutexLock lock(mu_);
    return changed_.WaitFor(mu_, timeout, [this]() TENOR_REQUIRES(mu_) { return ended_; });
  }

 private:
  void Do(WriteAction action) {
    if (action == WriteAction::kWrite) StartWrite(&queue_.Front());
    if (action == WriteAction::kFinish) RemoveHold();
  }

  CoordinatorLinkObserver* const observer_;
  const std::unique_ptr<wire::Coordinator::Stub> stub_;
  grpc::ClientContext context_;
  wire::CoordinatorToShard in_;
  WriteQueue<wire::Status> queue_;

  Mutex mu_;
  CondVar changed_;
  std::optional<shard::ConnectionId> connection_ TENOR_GUARDED_BY(mu_);
  bool ended_ TENOR_GUARDED_BY(mu_) = false;
};

class CoordinatorClient : public CoordinatorLink {
 public:
  explicit CoordinatorClient(std::string address) : address_(std::move(address)) {}
  ~CoordinatorClient() override { Stop(); }

  void Start(CoordinatorLinkObserver* observer) override {
    thread_ = std::thread([this, observer] { Run(observer); });
  }

  // The thread dials whenever no stream is open, and keepalive ends one that is dead.
  void Find() override {}

  void Send(shard::ConnectionId connection, const Status& status) override {
    const std::shared_ptr<Attempt> attempt = Present();
    if (attempt != nullptr && attempt->connection() == connection) attempt->Send(status);
  }

  void Stop() override {
    {
      MutexLock lock(mu_);
      stopped_ = true;
      if (attempt_ != nullptr) attempt_->Cancel();
    }
    changed_.NotifyAll();
    if (thread_.joinable()) thread_.join();
  }

 private:
  std::shared_ptr<Attempt> Present() {
    MutexLock lock(mu_);
    return attempt_;
  }

  void Run(CoordinatorLinkObserver* observer) {
    absl::Duration backoff = kFirstBackoff;
    while (true) {
      auto attempt = std::make_shared<Attempt>(address_, observer);
      if (!Publish(attempt)) return;
      attempt->Begin();
      while (!attempt->WaitForEnd(absl::Seconds(1))) {
        if (stopped()) attempt->Cancel();
      }
      const bool opened = attempt->connection().has_value();
      Withdraw();
      backoff = opened ? kFirstBackoff : std::min(2 * backoff, kLastBackoff);
      if (WaitForStop(backoff)) return;
    }
  }

  bool Publish(const std::shared_ptr<Attempt>& attempt) {
    MutexLock lock(mu_);
    if (stopped_) return false;
    attempt_ = attempt;
    return true;
  }

  void Withdraw() {
    MutexLock lock(mu_);
    attempt_ = nullptr;
  }

  bool stopped() {
    MutexLock lock(mu_);
    return stopped_;
  }

  bool WaitForStop(absl::Duration timeout) {
    MutexLock lock(mu_);
    return changed_.WaitFor(mu_, timeout, [this]() TENOR_REQUIRES(mu_) { return stopped_; });
  }

  const std::string address_;
  Mutex mu_;
  CondVar changed_;
  bool stopped_ TENOR_GUARDED_BY(mu_) = false;
  std::shared_ptr<Attempt> attempt_ TENOR_GUARDED_BY(mu_);
  std::thread thread_;
};

}  // namespace

std::unique_ptr<CoordinatorLink> MakeCoordinatorClient(std::string address) {
  return std::make_unique<CoordinatorClient>(std::move(address));
}

absl::StatusOr<std::string> AskCoordinator(absl::string_view address, absl::Duration timeout) {
  const auto stub = wire::Coordinator::NewStub(Dial(address));
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + absl::ToChronoMilliseconds(timeout));
  wire::GetJobRequest request;
  request.set_protocol(1);
  wire::GetJobReply reply;
  const grpc::Status status = stub->GetJob(&context, request, &reply);
  if (status.ok()) return reply.run_name();
  return absl::Status(static_cast<absl::StatusCode>(status.error_code()), status.error_message());
}

}  // namespace tenor

#include "cli/net/grpc_operator_client.h"

#include <chrono>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "base/status.h"
#include "grpc/support/log.h"
#include "grpcpp/channel.h"
#include "grpcpp/client_context.h"
#include "grpcpp/create_channel.h"
#include "grpcpp/security/credentials.h"
#include "proto/wire.grpc.pb.h"
#include "server/net/channel_settings.h"

namespace tenor {
namespace {

constexpr absl::Duration kReadDeadline = absl::Seconds(10);
// Of a change: it waits for the run folder, a checkpoint for a whole round and its save.
constexpr absl::Duration kChangeDeadline = absl::Seconds(30);
constexpr absl::Duration kCheckpointDeadline = absl::Minutes(30);

// gRPC's own lines would come beside ours, about the same things.
void DropLine(gpr_log_func_args*) {}

std::shared_ptr<grpc::Channel> Dial(const std::string& address) {
  gpr_set_log_function(DropLine);
  grpc::ChannelArguments arguments;
  for (const ChannelSetting& setting : kChannelSettings) {
    arguments.SetInt(setting.name, setting.value);
  }
  for (const ChannelSetting& setting : kClientSettings) {
    arguments.SetInt(setting.name, setting.value);
  }
  return grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(), arguments);
}

absl::Status FromGrpc(const grpc::Status& status, const std::string& address) {
  if (status.ok()) return absl::OkStatus();
  const auto code = static_cast<absl::StatusCode>(status.error_code());
  switch (code) {
    case absl::StatusCode::kUnavailable:
    case absl::StatusCode::kDeadlineExceeded:
    case absl::StatusCode::kUnimplemented:
      return absl::Status(code, absl::StrCat("server ", address, ": ", status.error_message()));
    default:
      return absl::Status(code, status.error_message());
  }
}

void SetDeadline(absl::Duration after, grpc::ClientContext* context) {
  context->set_deadline(std::chrono::system_clock::now() + absl::ToChronoMilliseconds(after));
}

class GrpcOperatorClient : public OperatorClient {
 public:
  GrpcOperatorClient(std::string observe, std::string admin)
      : observe_address_(std::move(observe)),
        admin_address_(std::move(admin)),
        observe_(wire::Observe::NewStub(Dial(observe_address_))) {}

  absl::StatusOr<wire::RunStatus> GetStatus() override {
    grpc::ClientContext context;
    SetDeadline(kReadDeadline, &context);
    wire::RunStatus reply;
    TENOR_RETURN_IF_ERROR(
        FromGrpc(observe_->GetStatus(&context, wire::StatusRequest(), &reply), observe_address_));
    return reply;
  }

  absl::Status Watch(const OnStep& on_step) override {
    grpc::ClientContext context;
    const auto stream = observe_->Watch(&context, wire::WatchRequest());
    return ReadAll<wire::StepLine>(*stream, context, on_step);
  }

  absl::Status Events(bool follow, const OnEvent& on_event) override {
    grpc::ClientContext context;
    wire::EventsRequest request;
    request.set_follow(follow);
    const auto stream = observe_->Events(&context, request);
    return ReadAll<wire::EventLine>(
        *stream, context, [&](const wire::EventLine& line) { return on_event(line.json()); });
  }

  absl::StatusOr<wire::SetReply> Set(const wire::SetRequest& request) override {
    return Change<wire::SetReply>(kChangeDeadline, [&](auto& admin, auto* context, auto* reply) {
      return admin.Set(context, request, reply);
    });
  }

  absl::StatusOr<wire::StopReply> Stop(const std::string& reason) override {
    wire::StopRequest request;
    request.set_reason(reason);
    return Change<wire::StopReply>(kChangeDeadline, [&](auto& admin, auto* context, auto* reply) {
      return admin.Stop(context, request, reply);
    });
  }

  absl::StatusOr<wire::EvictReply> Evict(const std::string& name) override {
    wire::EvictRequest request;
    request.set_name(name);
    return Change<wire::EvictReply>(kChangeDeadline, [&](auto& admin, auto* context, auto* reply) {
      return admin.Evict(context, request, reply);
    });
  }

  absl::StatusOr<wire::CheckpointNowReply> CheckpointNow() override {
    return Change<wire::CheckpointNowReply>(
        kCheckpointDeadline, [&](auto& admin, auto* context, auto* reply) {
          return admin.CheckpointNow(context, wire::CheckpointNowRequest(), reply);
        });
  }

 private:
  template <typename Line, typename OnLine>
  absl::Status ReadAll(grpc::ClientReader<Line>& stream, grpc::ClientContext& context,
                       const OnLine& on_line) {
    bool go_on = true;
    for (Line line; go_on && stream.Read(&line);) go_on = on_line(line);
    if (!go_on) context.TryCancel();
    const grpc::Status status = stream.Finish();
    return go_on ? FromGrpc(status, observe_address_) : absl::OkStatus();
  }

  template <typename ReplyMessage, typename Call>
  absl::StatusOr<ReplyMessage> Change(absl::Duration deadline, const Call& call) {
    TENOR_RETURN_IF_ERROR(FindAdmin());
    grpc::ClientContext context;
    SetDeadline(deadline, &context);
    ReplyMessage reply;
    TENOR_RETURN_IF_ERROR(FromGrpc(call(*admin_, &context, &reply), admin_address_));
    return reply;
  }

  absl::Status FindAdmin() {
    if (admin_address_.empty()) {
      TENOR_ASSIGN_OR_RETURN(const wire::RunStatus status, GetStatus());
      if (status.admin_address().empty()) {
        return absl::UnavailableError(
            absl::StrCat("server ", observe_address_, " names no admin address; ask server 0"));
      }
      admin_address_ = status.admin_address();
    }
    if (admin_ == nullptr) admin_ = wire::Admin::NewStub(Dial(admin_address_));
    return absl::OkStatus();
  }

  const std::string observe_address_;
  std::string admin_address_;
  const std::unique_ptr<wire::Observe::Stub> observe_;
  std::unique_ptr<wire::Admin::Stub> admin_;
};

}  // namespace

std::unique_ptr<OperatorClient> NewGrpcOperatorClient(std::string observe, std::string admin) {
  return std::make_unique<GrpcOperatorClient>(std::move(observe), std::move(admin));
}

}  // namespace tenor

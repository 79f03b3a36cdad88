// A whole server in this process, on ports that the kernel chose: what its clients see.
#include "server/server_process.h"

#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/clock.h"
#include "base/memory_file_system.h"
#include "base/status.h"
#include "base/status_testing.h"
#include "grpcpp/channel.h"
#include "grpcpp/client_context.h"
#include "grpcpp/create_channel.h"
#include "grpcpp/impl/codegen/client_unary_call.h"
#include "grpcpp/impl/codegen/rpc_method.h"
#include "grpcpp/security/credentials.h"
#include "grpcpp/support/byte_buffer.h"
#include "grpcpp/support/slice.h"
#include "grpcpp/support/sync_stream.h"
#include "gtest/gtest.h"
#include "proto/job_identity.h"
#include "proto/parse.h"
#include "proto/validate.h"
#include "proto/wire.grpc.pb.h"
#include "server/net/coordinator_client.h"

namespace tenor {
namespace {

constexpr char kRun[] = "/runs/a";

spec::JobSpec Job() {
  spec::JobSpec job;
  job.set_name("a");
  job.mutable_model()->mutable_mlstm()->set_hidden(16);
  job.mutable_data()->mutable_text()->set_digest("crc32c:00112233");
  job.mutable_data()->mutable_text()->set_bytes(1000000);
  job.mutable_batch()->set_micro_batch(2);
  job.mutable_optimizer()->mutable_adam();
  job.mutable_schedule()->mutable_constant()->set_peak(0.1f);
  job.mutable_stop()->set_updates(10);
  return FillDefaults(job);
}

class ServerProcessTest : public testing::Test {
 protected:
  absl::StatusOr<std::unique_ptr<ServerProcess>> Start(int index, const std::string& bind) {
    ServerProcess::Inputs inputs;
    inputs.flags.index = index;
    inputs.flags.servers = {"127.0.0.1:0", "127.0.0.1:0"};
    inputs.flags.run_dir = kRun;
    inputs.flags.run_name = "a";
    inputs.flags.bind = bind;
    inputs.flags.admin_bind = "127.0.0.1:0";
    inputs.flags.http_port = 0;
    inputs.flags.push_credit_bytes = 1 << 20;
    inputs.flags.start_deadline = absl::ZeroDuration();
    inputs.flags.name_wait = absl::Seconds(10);
    inputs.job = Job();
    inputs.job_hash = JobHash(Job());
    inputs.process.value = 100 + index;
    TENOR_ASSIGN_OR_RETURN(inputs.identity, BeginRun(files_, kRun, Job(), "nonce"));
    return ServerProcess::Start(std::move(inputs), clock_, files_);
  }

  std::string AddressOf(int index) {
    const std::string path = absl::StrCat(kRun, "/endpoints.d/server-", index, ".textproto");
    const auto text = files_.ReadFile(path);
    return text.ok() ? ParseEndpoints(*text, path)->processes(0).grpc() : "";
  }

  std::shared_ptr<grpc::Channel> ChannelTo(int index) {
    return grpc::CreateChannel(AddressOf(index), grpc::InsecureChannelCredentials());
  }

  RealClock clock_;
  MemoryFileSystem files_;
};

grpc::ByteBuffer BufferOf(const std::string& bytes) {
  const grpc::Slice slice(bytes);
  return grpc::ByteBuffer(&slice, 1);
}

std::string BytesOf(const grpc::ByteBuffer& buffer) {
  grpc::Slice slice;
  EXPECT_TRUE(buffer.DumpToSingleSlice(&slice).ok());
  return std::string(reinterpret_cast<const char*>(slice.begin()), slice.size());
}

// The answer of grpc.health.v1.Health/Check for the whole server, as bytes.
std::string CheckHealth(grpc::Channel& channel) {
  grpc::ClientContext context;
  grpc::ByteBuffer reply;
  const grpc::internal::RpcMethod method("/grpc.health.v1.Health/Check",
                                         grpc::internal::RpcMethod::NORMAL_RPC);
  const grpc::Status status = grpc::internal::BlockingUnaryCall<grpc::ByteBuffer, grpc::ByteBuffer>(
      &channel, method, &context, BufferOf(""), &reply);
  EXPECT_TRUE(status.ok()) << status.error_message();
  return BytesOf(reply);
}

TEST_F(ServerProcessTest, AnswersHealthAndReflection) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ServerProcess> server, Start(0, "127.0.0.1:0"));
  const std::shared_ptr<grpc::Channel> channel = ChannelTo(0);
  // HealthCheckResponse { status: NOT_SERVING }: no worker is here.
  EXPECT_EQ(CheckHealth(*channel), std::string("\x08\x02"));

  grpc::ClientContext context;
  const grpc::internal::RpcMethod method(
      "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
      grpc::internal::RpcMethod::BIDI_STREAMING);
  const std::unique_ptr<grpc::ClientReaderWriter<grpc::ByteBuffer, grpc::ByteBuffer>> stream(
      grpc::internal::ClientReaderWriterFactory<grpc::ByteBuffer, grpc::ByteBuffer>::Create(
          channel.get(), method, &context));
  // ServerReflectionRequest { list_services: "" }.
  ASSERT_TRUE(stream->Write(BufferOf(std::string("\x3a\x00", 2))));
  grpc::ByteBuffer reply;
  ASSERT_TRUE(stream->Read(&reply));
  const std::string services = BytesOf(reply);
  for (const char* name :
       {"tenor.wire.Coordinator", "tenor.wire.Shard", "tenor.wire.Observe", "grpc.health.v1"}) {
    EXPECT_NE(services.find(name), std::string::npos) << name;
  }
  stream->WritesDone();
  EXPECT_TRUE(stream->Finish().ok());
}

// Polls until both servers hold version 0; the test's own limit ends it otherwise.
wire::RunStatus StatusOnceWaiting(const std::shared_ptr<grpc::Channel>& channel) {
  const auto observe = wire::Observe::NewStub(channel);
  wire::RunStatus status;
  while (status.state() != "waiting") {
    grpc::ClientContext context;
    EXPECT_TRUE(observe->GetStatus(&context, {}, &status).ok());
    std::this_thread::yield();
  }
  return status;
}

TEST_F(ServerProcessTest, TwoServersReachWaiting) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ServerProcess> first, Start(0, "127.0.0.1:0"));
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ServerProcess> second, Start(1, "127.0.0.1:0"));
  wire::RunStatus status = StatusOnceWaiting(ChannelTo(0));
  EXPECT_EQ(status.run(), "a");
  EXPECT_FALSE(status.ready());
  EXPECT_NE(status.reason(), "");
  EXPECT_EQ(status.servers_size(), 2);
  EXPECT_NE(status.admin_address(), "");
  EXPECT_NE(first->WhyNotReady(), "");
  EXPECT_THAT(AskCoordinator(AddressOf(0), absl::Seconds(5)), IsOkAndHolds(std::string("a")));

  // The other server knows who answers.
  const auto elsewhere = wire::Observe::NewStub(ChannelTo(1));
  grpc::ClientContext context;
  const grpc::Status refused = elsewhere->GetStatus(&context, {}, &status);
  EXPECT_EQ(refused.error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_NE(refused.error_message().find("server 0"), std::string::npos);
}

TEST_F(ServerProcessTest, SigtermEndsBothWithZero) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ServerProcess> first, Start(0, "127.0.0.1:0"));
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ServerProcess> second, Start(1, "127.0.0.1:0"));
  StatusOnceWaiting(ChannelTo(0));
  first->Drain();
  std::optional<ServerExit> end;
  while (!(end = second->Turn())) std::this_thread::yield();
  EXPECT_EQ(end->code, 0) << end->sentence;
  while (!(end = first->Turn())) std::this_thread::yield();
  EXPECT_EQ(end->code, 0) << end->sentence;
}

TEST_F(ServerProcessTest, SigtermEndsAServerThatHoldsNothing) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ServerProcess> alone, Start(1, "127.0.0.1:0"));
  alone->Drain();
  const std::optional<ServerExit> end = alone->Turn();
  ASSERT_TRUE(end.has_value());
  EXPECT_EQ(end->code, 0);
}

TEST_F(ServerProcessTest, APortInUseIsOneClearLine) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ServerProcess> first, Start(0, "127.0.0.1:0"));
  const std::string taken = AddressOf(0);
  const absl::Status refused = Start(1, taken).status();
  EXPECT_THAT(refused, StatusIs(absl::StatusCode::kAlreadyExists, testing::HasSubstr(taken)));
}

}  // namespace
}  // namespace tenor

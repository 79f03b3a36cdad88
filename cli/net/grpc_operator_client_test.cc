#include "cli/net/grpc_operator_client.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status_testing.h"
#include "gmock/gmock.h"
#include "grpcpp/security/server_credentials.h"
#include "grpcpp/server.h"
#include "grpcpp/server_builder.h"
#include "gtest/gtest.h"
#include "proto/wire.grpc.pb.h"

namespace tenor {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class FakeObserve : public wire::Observe::Service {
 public:
  grpc::Status GetStatus(grpc::ServerContext*, const wire::StatusRequest*,
                         wire::RunStatus* reply) override {
    reply->set_run("first");
    reply->set_admin_address(admin_address);
    return grpc::Status::OK;
  }

  // Steps without end, until the client leaves.
  grpc::Status Watch(grpc::ServerContext*, const wire::WatchRequest*,
                     grpc::ServerWriter<wire::StepLine>* writer) override {
    wire::StepLine line;
    for (int64_t step = 1; line.set_step(step), writer->Write(line); ++step) {
    }
    return grpc::Status::CANCELLED;
  }

  grpc::Status Events(grpc::ServerContext*, const wire::EventsRequest* request,
                      grpc::ServerWriter<wire::EventLine>* writer) override {
    wire::EventLine line;
    line.set_json(request->follow() ? "follow" : "kept");
    writer->Write(line);
    return request->follow() ? grpc::Status(grpc::StatusCode::UNAVAILABLE, "ask server 0")
                             : grpc::Status::OK;
  }

  std::string admin_address;
};

class FakeAdmin : public wire::Admin::Service {
 public:
  grpc::Status Set(grpc::ServerContext*, const wire::SetRequest* request,
                   wire::SetReply* reply) override {
    if (request->at_step() < 10) {
      return grpc::Status(grpc::StatusCode::INVALID_ARGUMENT, "step 9 is gone");
    }
    reply->set_from_step(request->at_step());
    return grpc::Status::OK;
  }
  grpc::Status Evict(grpc::ServerContext*, const wire::EvictRequest* request,
                     wire::EvictReply* reply) override {
    reply->set_sentence("out: " + request->name());
    return grpc::Status::OK;
  }
};

class GrpcOperatorClientTest : public testing::Test {
 protected:
  GrpcOperatorClientTest() {
    int port = 0;
    grpc::ServerBuilder builder;
    builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port);
    builder.RegisterService(&observe_);
    builder.RegisterService(&admin_);
    server_ = builder.BuildAndStart();
    address_ = absl::StrCat("127.0.0.1:", port);
    observe_.admin_address = address_;
    client_ = NewGrpcOperatorClient(address_, "");
  }

  FakeObserve observe_;
  FakeAdmin admin_;
  std::unique_ptr<grpc::Server> server_;
  std::string address_;
  std::unique_ptr<OperatorClient> client_;
};

TEST_F(GrpcOperatorClientTest, Status) {
  const auto status = client_->GetStatus();
  ASSERT_THAT(status, IsOk());
  EXPECT_EQ(status->run(), "first");
}

TEST_F(GrpcOperatorClientTest, WatchEndsWhenTheCallerHasEnough) {
  std::vector<int64_t> steps;
  EXPECT_THAT(client_->Watch([&](const wire::StepLine& line) {
    steps.push_back(line.step());
    return steps.size() < 3;
  }),
              IsOk());
  EXPECT_THAT(steps, ElementsAre(1, 2, 3));
}

TEST_F(GrpcOperatorClientTest, EventsEndWithTheStream) {
  std::vector<std::string> lines;
  const auto keep = [&](const std::string& line) {
    lines.push_back(line);
    return true;
  };
  EXPECT_THAT(client_->Events(/*follow=*/false, keep), IsOk());
  EXPECT_THAT(client_->Events(/*follow=*/true, keep),
              StatusIs(absl::StatusCode::kUnavailable,
                       HasSubstr(absl::StrCat("server ", address_, ": ask server 0"))));
  EXPECT_THAT(lines, ElementsAre("kept", "follow"));
}

TEST_F(GrpcOperatorClientTest, ChangesGoToTheAddressThatTheServerNames) {
  wire::SetRequest request;
  request.set_at_step(12);
  const auto reply = client_->Set(request);
  ASSERT_THAT(reply, IsOk());
  EXPECT_EQ(reply->from_step(), 12);
  request.set_at_step(9);
  EXPECT_THAT(client_->Set(request),
              StatusIs(absl::StatusCode::kInvalidArgument, "step 9 is gone"));
}

TEST_F(GrpcOperatorClientTest, AGivenAdminAddressIsTaken) {
  observe_.admin_address = "";
  EXPECT_THAT(client_->Evict("node1-0"),
              StatusIs(absl::StatusCode::kUnavailable, HasSubstr("names no admin address")));
  const auto reply = NewGrpcOperatorClient(address_, address_)->Evict("node1-0");
  ASSERT_THAT(reply, IsOk());
  EXPECT_EQ(reply->sentence(), "out: node1-0");
}

TEST_F(GrpcOperatorClientTest, NobodyThereIsUnavailable) {
  server_->Shutdown();
  EXPECT_THAT(client_->GetStatus(), StatusIs(absl::StatusCode::kUnavailable, HasSubstr(address_)));
}

}  // namespace
}  // namespace tenor

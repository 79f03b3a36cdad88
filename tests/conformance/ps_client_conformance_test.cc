// One suite that every implementation of the PsClient port passes, in front of real runners.
#include <grpcpp/grpcpp.h>

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/memory_file_system.h"
#include "base/mutex.h"
#include "base/version.h"
#include "gtest/gtest.h"
#include "ops/codec/codec.h"
#include "proto/job_identity.h"
#include "server/net/grpc_server.h"
#include "server/net/rpc_services.h"
#include "tests/cluster/cluster.h"
#include "worker/local/local_client.h"
#include "worker/net/grpc_ps_client.h"
#include "worker/ps_client.h"

namespace tenor {
namespace {

constexpr int kShards = 3;

// What the client said, to wait for.
class Recorder : public PsClientObserver {
 public:
  void OnCoordinatorConnected() override {
    Record([this]() TENOR_REQUIRES(mu_) { ++connected_; });
  }
  void OnCoordinatorLost(const absl::Status&) override {
    Record([this]() TENOR_REQUIRES(mu_) { ++lost_; });
  }
  void OnCoordinatorMessage(CoordinatorToWorker message) override {
    Record([&]() TENOR_REQUIRES(mu_) { messages_.push_back(std::move(message)); });
  }
  void OnShardConnected(int shard) override {
    Record([&]() TENOR_REQUIRES(mu_) { shards_.insert(shard); });
  }
  void OnShardLost(int, const absl::Status&) override {}
  void OnShardMessage(int, ShardToWorker message, Payload payload) override {
    Record([&]() TENOR_REQUIRES(mu_) {
      answers_.emplace_back(std::move(message), std::move(payload));
    });
  }

  void WaitForConnection() {
    MutexLock lock(mu_);
    changed_.Wait(mu_, [this]() TENOR_REQUIRES(mu_) { return connected_ > 0; });
  }
  void WaitForShards(size_t count) {
    MutexLock lock(mu_);
    changed_.Wait(mu_, [&]() TENOR_REQUIRES(mu_) { return shards_.size() >= count; });
  }
  template <typename T>
  T WaitForMessage() {
    MutexLock lock(mu_);
    T found;
    changed_.Wait(mu_, [&]() TENOR_REQUIRES(mu_) {
      for (const CoordinatorToWorker& message : messages_) {
        if (const T* one = std::get_if<T>(&message)) {
          found = *one;
          return true;
        }
      }
      return false;
    });
    return found;
  }
  // The answers of kind T, once there are `count`.
  template <typename T>
  std::vector<std::pair<T, Payload>> WaitForAnswers(size_t count) {
    MutexLock lock(mu_);
    std::vector<std::pair<T, Payload>> found;
    changed_.Wait(mu_, [&]() TENOR_REQUIRES(mu_) {
      found.clear();
      for (const auto& [answer, payload] : answers_) {
        if (const T* one = std::get_if<T>(&answer)) found.emplace_back(*one, payload);
      }
      return found.size() >= count;
    });
    return found;
  }
  int64_t calls() {
    MutexLock lock(mu_);
    return calls_;
  }

 private:
  void Record(const std::function<void()>& change) {
    MutexLock lock(mu_);
    change();
    ++calls_;
    changed_.NotifyAll();
  }

  Mutex mu_;
  CondVar changed_;
  int connected_ TENOR_GUARDED_BY(mu_) = 0;
  int lost_ TENOR_GUARDED_BY(mu_) = 0;
  int64_t calls_ TENOR_GUARDED_BY(mu_) = 0;
  std::set<int> shards_ TENOR_GUARDED_BY(mu_);
  std::vector<CoordinatorToWorker> messages_ TENOR_GUARDED_BY(mu_);
  std::vector<std::pair<ShardToWorker, Payload>> answers_ TENOR_GUARDED_BY(mu_);
};

// Servers, and clients of one kind to them.
class World {
 public:
  virtual ~World() = default;
  virtual std::unique_ptr<PsClient> NewClient() = 0;
  virtual std::vector<ShardAddress> addresses() = 0;

  const spec::JobSpec job = ClusterJob(1000, spec::Codec::FP32);
  const RealClock clock;
  MemoryFileSystem files;
  ServerSet servers{job, kShards, files, clock};
};

class LocalWorld : public World {
 public:
  std::unique_ptr<PsClient> NewClient() override {
    return MakeLocalClient(servers.services(), "client");
  }
  std::vector<ShardAddress> addresses() override { return std::vector<ShardAddress>(kShards); }
};

class GrpcWorld : public World {
 public:
  GrpcWorld() {
    const LocalServers services = servers.services();
    for (ShardService* shard : services.shards) {
      rpcs_.push_back(MakeCoordinatorRpc(services.coordinator, ""));
      rpcs_.push_back(MakeShardRpc(*shard));
      Listen({rpcs_[rpcs_.size() - 2].get(), rpcs_.back().get()});
    }
  }
  ~GrpcWorld() override {
    for (std::unique_ptr<GrpcServer>& server : ports_) server->Shutdown(absl::ZeroDuration());
  }
  std::unique_ptr<PsClient> NewClient() override {
    return MakeGrpcPsClient({.coordinator = addresses().front().address});
  }
  std::vector<ShardAddress> addresses() override {
    std::vector<ShardAddress> addresses;
    for (const std::unique_ptr<GrpcServer>& port : ports_) {
      addresses.push_back({absl::StrCat("127.0.0.1:", port->port()), ProcessId{1}});
    }
    return addresses;
  }

 private:
  void Listen(const std::vector<grpc::Service*>& services) {
    absl::StatusOr<std::unique_ptr<GrpcServer>> port = GrpcServer::Start("127.0.0.1:0", services);
    ASSERT_TRUE(port.ok()) << port.status();
    ports_.push_back(*std::move(port));
  }

  std::vector<std::shared_ptr<grpc::Service>> rpcs_;  // outlive the ports
  std::vector<std::unique_ptr<GrpcServer>> ports_;
};

using MakeWorld = std::function<std::unique_ptr<World>()>;

class PsClientConformanceTest : public testing::TestWithParam<std::pair<const char*, MakeWorld>> {
 protected:
  PsClientConformanceTest() : world_(GetParam().second()), client_(world_->NewClient()) {}

  ParameterSpace Space() { return *MakeParameterSpace(world_->job); }

  std::unique_ptr<World> world_;
  Recorder recorder_;
  std::unique_ptr<PsClient> client_;
};

TEST_P(PsClientConformanceTest, GetJobReturnsTheRunsJob) {
  absl::StatusOr<spec::JobSpec> job = client_->GetJob(absl::Seconds(10));
  ASSERT_TRUE(job.ok()) << job.status();
  EXPECT_EQ(JobHash(*job), JobHash(world_->job));
}

TEST_P(PsClientConformanceTest, APulledVersionIsTheServersBitForBit) {
  client_->Start(&recorder_);
  recorder_.WaitForConnection();
  // Shards answer pulls of version 0 once they are installed; until then a pull is repeated.
  client_->ConnectShards(world_->addresses());
  recorder_.WaitForShards(kShards);
  const ParameterSpace space = Space();
  world_->servers.WaitUntilInstalled();
  for (int k = 0; k < kShards; ++k) {
    client_->SendToShard(
        k, Hello{"w", {}, 1, {kProtocolVersion, JobHash(world_->job), space.layout.Hash(), ""}},
        {});
  }
  recorder_.WaitForAnswers<HelloOk>(kShards);
  for (int k = 0; k < kShards; ++k) client_->SendToShard(k, Pull{1, 0, "w", {}}, {});
  const auto chunks = recorder_.WaitForAnswers<Chunk>(space.chunks.count());
  std::vector<float> expected(space.layout.size());
  space.initial(0, expected);
  for (const auto& [chunk, payload] : chunks) {
    const size_t begin = space.chunks.Begin(chunk.chunk);
    std::vector<float> values(space.chunks.Size(chunk.chunk));
    ASSERT_TRUE(Decode(CodecId::kFp32, payload.bytes(), values).ok());
    EXPECT_TRUE(std::equal(values.begin(), values.end(), expected.begin() + begin));
  }
}

TEST_P(PsClientConformanceTest, NothingComesAfterStop) {
  client_->Start(&recorder_);
  recorder_.WaitForConnection();
  client_->Stop();
  const int64_t calls = recorder_.calls();
  client_->SendToCoordinator(Leave{"nobody", {}, 1});
  EXPECT_EQ(recorder_.calls(), calls);
}

INSTANTIATE_TEST_SUITE_P(Clients, PsClientConformanceTest,
                         testing::Values(std::make_pair("InProcess", MakeWorld([] {
                                                          return std::make_unique<LocalWorld>();
                                                        })),
                                         std::make_pair("Grpc", MakeWorld([] {
                                                          return std::make_unique<GrpcWorld>();
                                                        }))),
                         [](const auto& test) { return test.param.first; });

}  // namespace
}  // namespace tenor

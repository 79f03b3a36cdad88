#ifndef TENOR_SERVER_SERVER_PROCESS_H_
#define TENOR_SERVER_SERVER_PROCESS_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "base/clock.h"
#include "base/file_system.h"
#include "base/http/http_server.h"
#include "base/mutex.h"
#include "proto/spec.pb.h"
#include "server/net/grpc_server.h"
#include "server/net/rpc_services.h"
#include "server/runner/coordinator_link.h"
#include "server/runner/coordinator_runner.h"
#include "server/runner/journal.h"
#include "server/runner/parameter_space.h"
#include "server/runner/run_identity.h"
#include "server/runner/shard_runner.h"
#include "server/server_flags.h"
#include "server/server_metrics.h"

namespace tenor {

// How a server ended (docs/operations.md).
struct ServerExit {
  int code = 0;
  std::string sentence;
};

// One tenor-server: opens the ports, builds the runners behind them, writes where it listens, and
// tells health what is true. Decides nothing. Thread-compatible; driven by one thread.
class ServerProcess {
 public:
  struct Inputs {
    ServerFlags flags;
    spec::JobSpec job;  // defaults filled in
    uint64_t job_hash = 0;
    RunIdentity identity;
    ProcessId process;  // drawn at random
    int threads = 1;
    int64_t pid = 0;
  };

  // `clock` and `files` are borrowed and outlive the process. Errors: AlreadyExists (an address is
  // in use), InvalidArgument (the job or an address), those of the file system.
  static absl::StatusOr<std::unique_ptr<ServerProcess>> Start(Inputs inputs, const Clock& clock,
                                                              FileSystem& files);
  ~ServerProcess();

  // A few times a second: health and the joined list of endpoints. How it ended, once it did.
  std::optional<ServerExit> Turn();

  // SIGTERM: a checkpoint, then the end of serving.
  void Drain();

  // One line: ready, or why not.
  std::string WhyNotReady() const;

 private:
  ServerProcess(Inputs inputs, ParameterSpace space, const Clock& clock, FileSystem& files);

  absl::Status StartCoordinator();
  absl::Status StartShard();
  absl::Status OpenPorts();
  absl::Status StartHttp();
  absl::Status WriteOwnEndpoint();
  void JoinEndpointsIfDue();

  bool has_coordinator() const { return inputs_.flags.index == 0; }
  std::string AdvertisedAddress() const;
  // Where server 0 is, as known now.
  absl::StatusOr<std::string> CoordinatorAddress() const;
  CoordinatorConfig MakeCoordinatorConfig() const;
  spec::Manifest ManifestTemplate() const;
  shard::Config MakeShardConfig() const;
  Hashes OwnHashes() const;
  HttpResponse Health() const;
  HttpResponse Readiness() const;
  HttpResponse Metrics();
  void End(int code, const std::string& sentence);

  const Inputs inputs_;
  const ParameterSpace space_;
  const Clock& clock_;
  FileSystem& files_;

  std::unique_ptr<ServerMetrics> metrics_;
  std::unique_ptr<Journal> journal_;                // server 0
  std::unique_ptr<CoordinatorRunner> coordinator_;  // server 0
  std::unique_ptr<CoordinatorLink> link_;
  std::unique_ptr<ShardRunner> shard_;
  std::shared_ptr<grpc::Service> coordinator_rpc_, shard_rpc_, observe_rpc_, admin_rpc_;
  std::unique_ptr<GrpcServer> grpc_;
  std::unique_ptr<GrpcServer> admin_;  // server 0
  std::unique_ptr<HttpServer> http_;

  absl::Duration joined_endpoints_ = -absl::InfiniteDuration();
  mutable Mutex mu_;
  std::optional<ServerExit> exit_ TENOR_GUARDED_BY(mu_);
  mutable absl::Duration last_open_ TENOR_GUARDED_BY(mu_) = -absl::InfiniteDuration();
  std::string admin_address_ TENOR_GUARDED_BY(mu_);
};

// The address of server 0 as its endpoint file in the run folder says. NotFound: none yet.
absl::StatusOr<std::string> LookUpCoordinator(FileSystem& files, absl::string_view run_dir);

}  // namespace tenor

#endif  // TENOR_SERVER_SERVER_PROCESS_H_

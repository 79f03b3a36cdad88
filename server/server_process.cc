#include "server/server_process.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/log.h"
#include "base/path.h"
#include "base/status.h"
#include "proto/parse.h"
#include "server/net/coordinator_client.h"
#include "server/runner/endpoints.h"
#include "server/runner/local_link.h"
#include "server/version.h"

namespace tenor {
namespace {

constexpr int kProtocol = 1;
constexpr absl::Duration kLoopStuck = absl::Seconds(5);
constexpr absl::Duration kJoinPeriod = absl::Seconds(1);
// A server that has had no round open for so long cannot tell whether steps are made.
constexpr absl::Duration kRoundFresh = absl::Seconds(2);

void LogNote(const Note& note) {
  std::string text(note.kind);
  for (const std::string& part : {note.who, note.reason, note.detail}) {
    if (!part.empty()) absl::StrAppend(&text, ": ", part);
  }
  if (note.alarm) {
    LOG(WARNING) << text;
  } else {
    LOG(INFO) << text;
  }
}

std::string NumericHost(const std::string& host) {
  return host == "localhost" ? "127.0.0.1" : host;
}

}  // namespace

absl::StatusOr<std::string> LookUpCoordinator(FileSystem& files, absl::string_view run_dir) {
  const std::string path = JoinPath(run_dir, "endpoints.d/server-0.textproto");
  TENOR_ASSIGN_OR_RETURN(const std::string text, files.ReadFile(path));
  TENOR_ASSIGN_OR_RETURN(const spec::Endpoints endpoints, ParseEndpoints(text, path));
  if (endpoints.processes().empty()) return absl::NotFoundError(absl::StrCat(path, " is empty"));
  return endpoints.processes(0).grpc();
}

ServerProcess::ServerProcess(Inputs inputs, ParameterSpace space, const Clock& clock,
                             FileSystem& files)
    : inputs_(std::move(inputs)), space_(std::move(space)), clock_(clock), files_(files) {}

absl::StatusOr<std::unique_ptr<ServerProcess>> ServerProcess::Start(Inputs inputs,
                                                                    const Clock& clock,
                                                                    FileSystem& files) {
  TENOR_ASSIGN_OR_RETURN(ParameterSpace space, MakeParameterSpace(inputs.job));
  std::unique_ptr<ServerProcess> process(
      new ServerProcess(std::move(inputs), std::move(space), clock, files));
  const std::string& run = process->inputs_.flags.run_name;
  TENOR_ASSIGN_OR_RETURN(
      process->metrics_,
      ServerMetrics::Create(run, kVersionText, process->inputs_.job.data().has_text()));
  if (process->has_coordinator()) TENOR_RETURN_IF_ERROR(process->StartCoordinator());
  TENOR_RETURN_IF_ERROR(process->StartShard());
  TENOR_RETURN_IF_ERROR(process->OpenPorts());
  TENOR_RETURN_IF_ERROR(process->StartHttp());
  TENOR_RETURN_IF_ERROR(process->WriteOwnEndpoint());
  if (process->has_coordinator()) process->coordinator_->Start();
  process->shard_->Start(process->AdvertisedAddress());
  return process;
}

ServerProcess::~ServerProcess() {
  http_.reset();
  if (shard_ != nullptr) shard_->Stop();
  if (coordinator_ != nullptr) coordinator_->Stop();
  if (admin_ != nullptr) admin_->Shutdown(absl::Milliseconds(200));
  if (grpc_ != nullptr) grpc_->Shutdown(absl::Milliseconds(200));
}

// ---------------------------------------------------------------- parts

Hashes ServerProcess::OwnHashes() const {
  return Hashes{kProtocol, inputs_.job_hash, space_.layout.Hash(), ""};
}

CoordinatorConfig ServerProcess::MakeCoordinatorConfig() const {
  CoordinatorConfig config;
  config.job = inputs_.job;
  config.process = inputs_.process;
  config.shards = static_cast<int32_t>(inputs_.flags.servers.size());
  config.chunks = static_cast<ChunkNumber>(space_.chunks.count());
  config.tensors = static_cast<int32_t>(space_.layout.tensors().size());
  config.hashes = OwnHashes();
  config.hashes.data = inputs_.job.data().text().digest();
  config.run_nonce = inputs_.identity.nonce;
  config.start_deadline = inputs_.flags.start_deadline;
  return config;
}

spec::Manifest ServerProcess::ManifestTemplate() const {
  spec::Manifest manifest;
  manifest.set_format_major(1);
  *manifest.mutable_job() = inputs_.job;
  manifest.set_job_hash(inputs_.job_hash);
  manifest.set_shards(static_cast<int32_t>(inputs_.flags.servers.size()));
  manifest.set_chunk_elements(static_cast<int64_t>(space_.chunks.chunk_elements()));
  manifest.set_elements(static_cast<int64_t>(space_.layout.size()));
  for (const Layout::Tensor& tensor : space_.layout.tensors()) {
    spec::TensorEntry& entry = *manifest.add_layout();
    entry.set_name(tensor.name);
    for (int64_t dimension : tensor.shape) entry.add_shape(dimension);
    entry.set_offset(static_cast<int64_t>(tensor.offset));
    entry.set_decay(tensor.decay);
  }
  manifest.set_layout_hash(space_.layout.Hash());
  manifest.set_tenor_version(kVersionText);
  return manifest;
}

absl::Status ServerProcess::StartCoordinator() {
  TENOR_ASSIGN_OR_RETURN(
      journal_, Journal::Open(files_, inputs_.flags.run_dir,
                              [](const absl::Status& error) { LOG(ERROR) << error.message(); }));
  CoordinatorRunner::Options options;
  options.config = MakeCoordinatorConfig();
  TENOR_RETURN_IF_ERROR(CheckConfig(options.config));
  options.run_name = inputs_.flags.run_name;
  options.run_folder = inputs_.flags.run_dir;
  options.manifest = ManifestTemplate();
  options.on_exit = [this](int code, const std::string& sentence) { End(code, sentence); };
  options.on_note = [this](const Note& note) {
    LogNote(note);
    metrics_->OnNote(note);
  };
  options.on_step = [this](const StepRecord& record) { metrics_->OnStep(record); };
  coordinator_ = std::make_unique<CoordinatorRunner>(std::move(options), clock_, files_, *journal_);
  return absl::OkStatus();
}

shard::Config ServerProcess::MakeShardConfig() const {
  shard::Config config;
  config.shard = inputs_.flags.index;
  config.shards = static_cast<int32_t>(inputs_.flags.servers.size());
  config.chunks = static_cast<ChunkNumber>(space_.chunks.count());
  config.credit_bytes = inputs_.flags.push_credit_bytes;
  config.process = inputs_.process;
  config.run_nonce = inputs_.identity.nonce;
  config.hashes = OwnHashes();
  config.name_wait = inputs_.flags.name_wait;
  return config;
}

absl::Status ServerProcess::StartShard() {
  if (has_coordinator()) {
    link_ = std::make_unique<LocalLink>(*coordinator_);
  } else {
    link_ = MakeCoordinatorClient([this] { return CoordinatorAddress(); });
  }
  Engine::Options engine;
  engine.threads = inputs_.threads;
  engine.identity = {inputs_.flags.run_dir,
                     {},
                     inputs_.flags.index,
                     static_cast<int32_t>(inputs_.flags.servers.size())};
  engine.optimizer = inputs_.job.optimizer();
  auto on_exit = [this](int code, const std::string& sentence) {
    if (!has_coordinator() || code != 0) return End(code, sentence);
    // On server 0 the coordinator ends last, when all it had to tell have closed their streams.
    link_->Stop();
  };
  shard_ = std::make_unique<ShardRunner>(MakeShardConfig(), std::move(engine), space_, clock_,
                                         files_, *link_, std::move(on_exit));
  return absl::OkStatus();
}

absl::Status ServerProcess::OpenPorts() {
  const std::string elsewhere =
      absl::StrCat("the coordinator is on server 0, ", inputs_.flags.servers.front());
  OperatorFacts facts{inputs_.flags.run_name, kVersionText, inputs_.job.stop(), [this] {
                        MutexLock lock(mu_);
                        return admin_address_;
                      }};
  coordinator_rpc_ = MakeCoordinatorRpc(coordinator_.get(), elsewhere);
  shard_rpc_ = MakeShardRpc(*shard_);
  observe_rpc_ = MakeObserveRpc(coordinator_.get(), std::move(facts), elsewhere);
  TENOR_ASSIGN_OR_RETURN(
      grpc_, GrpcServer::Start(inputs_.flags.bind,
                               {coordinator_rpc_.get(), shard_rpc_.get(), observe_rpc_.get()}));
  if (!has_coordinator()) return absl::OkStatus();
  admin_rpc_ = MakeAdminRpc(*coordinator_);
  TENOR_ASSIGN_OR_RETURN(admin_, GrpcServer::Start(inputs_.flags.admin_bind, {admin_rpc_.get()}));
  TENOR_ASSIGN_OR_RETURN(const HostPort admin, ParseHostPort(inputs_.flags.admin_bind));
  MutexLock lock(mu_);
  admin_address_ = absl::StrCat(admin.host, ":", admin_->port());
  return absl::OkStatus();
}

absl::Status ServerProcess::StartHttp() {
  TENOR_ASSIGN_OR_RETURN(const HostPort bind, ParseHostPort(inputs_.flags.bind));
  HttpRoutes routes;
  routes["/metrics"] = [this] { return Metrics(); };
  routes["/healthz"] = [this] { return Health(); };
  routes["/readyz"] = [this] { return Readiness(); };
  TENOR_ASSIGN_OR_RETURN(
      http_, HttpServer::Start(NumericHost(bind.host),
                               static_cast<uint16_t>(inputs_.flags.http_port), std::move(routes)));
  return absl::OkStatus();
}

// ---------------------------------------------------------------- addresses

std::string ServerProcess::AdvertisedAddress() const {
  const absl::StatusOr<HostPort> own = ParseHostPort(inputs_.flags.servers[inputs_.flags.index]);
  const std::string host = own.ok() ? own->host : "127.0.0.1";
  const bool fixed = own.ok() && own->port != 0;
  return absl::StrCat(host, ":", fixed ? own->port : grpc_->port());
}

absl::StatusOr<std::string> ServerProcess::CoordinatorAddress() const {
  const std::string& listed = inputs_.flags.servers.front();
  TENOR_ASSIGN_OR_RETURN(const HostPort parts, ParseHostPort(listed));
  if (parts.port != 0) return listed;
  return LookUpCoordinator(files_, inputs_.flags.run_dir);
}

absl::Status ServerProcess::WriteOwnEndpoint() {
  TENOR_ASSIGN_OR_RETURN(const HostPort own, ParseHostPort(AdvertisedAddress()));
  spec::Endpoints::Process process;
  process.set_role("server");
  process.set_index(inputs_.flags.index);
  process.set_grpc(AdvertisedAddress());
  process.set_http(absl::StrCat(own.host, ":", http_->Port()));
  {
    MutexLock lock(mu_);
    process.set_admin(admin_address_);
  }
  process.set_pid(inputs_.pid);
  LOG(INFO) << "listens on " << process.grpc() << ", metrics on " << process.http()
            << (process.admin().empty() ? "" : ", changes on ") << process.admin();
  return WriteEndpoint(files_, inputs_.flags.run_dir, process);
}

void ServerProcess::JoinEndpointsIfDue() {
  if (!has_coordinator() || clock_.Now() - joined_endpoints_ < kJoinPeriod) return;
  joined_endpoints_ = clock_.Now();
  const absl::Status joined = JoinEndpoints(files_, inputs_.flags.run_dir, inputs_.flags.run_name);
  if (!joined.ok()) LOG(WARNING) << "endpoints.textproto: " << joined.message();
}

// ---------------------------------------------------------------- health

std::string ServerProcess::WhyNotReady() const {
  if (has_coordinator()) {
    const std::shared_ptr<const RunView> view = coordinator_->View();
    if (view->status.ready) return "";
    return view->status.reason.empty() ? std::string(StateName(view->status.state))
                                       : view->status.reason;
  }
  const ShardPhase phase = shard_->Totals().status.phase;
  MutexLock lock(mu_);
  if (phase >= ShardPhase::kOpen) last_open_ = clock_.Now();
  if (clock_.Now() - last_open_ <= kRoundFresh) return "";
  return "no round is open; server 0 knows why";
}

HttpResponse ServerProcess::Health() const {
  absl::Duration last = shard_->Totals().last_tick;
  if (has_coordinator()) last = std::min(last, coordinator_->last_tick());
  const absl::Duration behind = clock_.Now() - last;
  HttpResponse response;
  response.body = "ok\n";
  if (behind > kLoopStuck) {
    response.code = 503;
    response.body =
        absl::StrCat("the loop has not turned for ", absl::FormatDuration(behind), "\n");
  }
  return response;
}

HttpResponse ServerProcess::Readiness() const {
  const std::string reason = WhyNotReady();
  HttpResponse response;
  response.code = reason.empty() ? 200 : 503;
  response.body = absl::StrCat(reason.empty() ? "ready" : reason, "\n");
  return response;
}

HttpResponse ServerProcess::Metrics() {
  if (has_coordinator()) metrics_->Update(*coordinator_->View(), clock_.Now());
  metrics_->Update(shard_->Totals());
  HttpResponse response;
  response.content_type = MetricRegistry::kContentType;
  response.body = metrics_->Text();
  return response;
}

// ---------------------------------------------------------------- life

std::optional<ServerExit> ServerProcess::Turn() {
  grpc_->SetServing(WhyNotReady().empty());
  JoinEndpointsIfDue();
  MutexLock lock(mu_);
  return exit_;
}

void ServerProcess::Drain() {
  if (has_coordinator()) {
    coordinator_->StopRun("SIGTERM of server 0", nullptr);
  } else if (shard_->Totals().status.phase == ShardPhase::kEmpty) {
    End(0, "told to end; this server holds nothing to save");
  }
  shard_->WantToLeave();
}

void ServerProcess::End(int code, const std::string& sentence) {
  MutexLock lock(mu_);
  if (!exit_) exit_ = ServerExit{code, sentence};
}

}  // namespace tenor

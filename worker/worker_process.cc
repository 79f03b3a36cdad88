#include "worker/worker_process.h"

#include <unistd.h>

#include <algorithm>
#include <random>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/log.h"
#include "base/process.h"
#include "base/resource_limits.h"
#include "base/status.h"
#include "base/version.h"
#include "proto/job_identity.h"
#include "proto/validate.h"
#include "server/runner/endpoints.h"

namespace tenor {
namespace {

constexpr int kFailure = 1;
constexpr int kRefused = 3;
constexpr double kMiB = 1024.0 * 1024.0;

uint64_t FreshNumber() {
  std::random_device device;
  return (uint64_t{device()} << 32 | device()) | 1;
}

MlstmConfig ConfigOf(const spec::JobSpec& job) {
  return {job.model().mlstm().hidden(), job.model().mlstm().embedding()};
}

DataType TypeOf(const spec::JobSpec& job) {
  return job.compute() == spec::Compute::BF16 ? DataType::kBFloat16 : DataType::kFloat32;
}

int ExitCodeOf(const absl::Status& status) {
  return status.code() == absl::StatusCode::kFailedPrecondition ? kRefused : kFailure;
}

}  // namespace

WorkerProcess::WorkerProcess(WorkerFlags flags, const Clock* clock, FileSystem* files,
                             PsClient* client, const std::atomic<bool>* leaving)
    : flags_(std::move(flags)),
      clock_(clock),
      files_(files),
      client_(client),
      leaving_(leaving) {}

int WorkerProcess::Run() {
  if (absl::Status status = Prepare(); !status.ok()) {
    if (absl::IsCancelled(status)) return 0;
    LOG(ERROR) << status.message();
    return ExitCodeOf(status);
  }
  running_.store(loop_.get());
  if (leaving_->load()) loop_->Leave();
  const WorkerLoop::Result result = loop_->Run();
  if (result.exit_code == 0) {
    LOG(INFO) << result.sentence;
  } else {
    LOG(ERROR) << result.sentence;
  }
  return result.exit_code;
}

void WorkerProcess::Leave() {
  if (WorkerLoop* loop = running_.load()) loop->Leave();
}

absl::Status WorkerProcess::Prepare() {
  name_ = flags_.name;
  if (name_.empty()) {
    TENOR_ASSIGN_OR_RETURN(name_, Hostname());
  }
  if (flags_.index) absl::StrAppend(&name_, "-", *flags_.index);
  TENOR_ASSIGN_OR_RETURN(const uint64_t open_files, RaiseOpenFilesLimit());
  LOG(INFO) << "worker " << name_ << ", process " << getpid() << ", " << open_files
            << " open files allowed";
  TENOR_ASSIGN_OR_RETURN(job_, WaitForJob());
  TENOR_RETURN_IF_ERROR(OpenData());
  TENOR_RETURN_IF_ERROR(MakeModel());
  TENOR_RETURN_IF_ERROR(StartLoop());
  return StartHttp();
}

absl::StatusOr<spec::JobSpec> WorkerProcess::WaitForJob() {
  while (!leaving_->load()) {
    absl::StatusOr<spec::JobSpec> job = client_->GetJob(absl::Seconds(2));
    if (job.ok()) {
      *job = FillDefaults(*std::move(job));
      TENOR_RETURN_IF_ERROR(ViolationStatus(FindViolation(*job)));
      return job;
    }
    if (!absl::IsUnavailable(job.status())) return job.status();
    LOG(INFO) << "waiting for the servers: " << job.status().message();
  }
  return absl::CancelledError("left before the servers answered");
}

absl::Status WorkerProcess::OpenData() {
  TENOR_ASSIGN_OR_RETURN(data_, OpenTextDataSet(*files_, flags_.data_dir));
  TENOR_RETURN_IF_ERROR(CheckIsDataSetOf(*data_, job_.data().text()));
  return flags_.verify_data ? data_->VerifyChecksums() : absl::OkStatus();
}

absl::Status WorkerProcess::MakeModel() {
  const int cores = UsableCores();
  const int threads = flags_.threads > 0 ? flags_.threads : cores;
  TENOR_ASSIGN_OR_RETURN(exec_, Exec::Create(ExecOptions{.threads = threads}));
  TENOR_RETURN_IF_ERROR(exec_->CheckSupports(TypeOf(job_)));
  TENOR_RETURN_IF_ERROR(PlanMemory());
  TENOR_ASSIGN_OR_RETURN(model_, Mlstm::Create(ConfigOf(job_), TypeOf(job_), exec_.get()));
  group_ = std::make_unique<SoloGroup>(model_->layout().size());
  trainer_ = std::make_unique<ByteTrainer>(job_, *data_, model_.get(), group_.get());
  LOG(INFO) << "run " << job_.name() << ": " << model_->layout().size() << " parameters, "
            << threads << " of " << cores << " cores, " << CpuName();
  return absl::OkStatus();
}

// Weights and gradient in FP32, the kept gradient encoded, the model's own.
absl::Status WorkerProcess::PlanMemory() const {
  const double elements = static_cast<double>(MlstmLayout(ConfigOf(job_)).size());
  const double model = static_cast<double>(
      Mlstm::MemoryBytes(ConfigOf(job_), TypeOf(job_), job_.batch().micro_batch(),
                         job_.batch().window()));
  const double total = elements * 12 + model;
  const MemoryLimits limits = UsableMemory(ReadKernelFile);
  LOG(INFO) << absl::StrFormat(
      "memory plan: weights %.0f MiB, gradient %.0f MiB, encoded gradient up to %.0f MiB, model and "
      "activations %.0f MiB, together %.0f MiB; free %.0f MiB",
      elements * 4 / kMiB, elements * 4 / kMiB, elements * 4 / kMiB, model / kMiB, total / kMiB,
      static_cast<double>(limits.free) / kMiB);
  if (limits.free == 0 || total <= static_cast<double>(limits.free)) return absl::OkStatus();
  return absl::ResourceExhaustedError(absl::StrFormat(
      "the memory plan needs %.0f MiB, %.0f MiB are free: take a smaller micro_batch or window, or "
      "a machine with more memory",
      total / kMiB, static_cast<double>(limits.free) / kMiB));
}

session::Config WorkerProcess::SessionConfig() const {
  const ChunkTable chunks(model_->layout().size(), job_.chunk_elements());
  session::Config config;
  config.name = name_;
  config.process = ProcessId{FreshNumber()};
  config.weight = group_->weight();
  config.hashes = {kProtocolVersion, JobHash(job_), model_->layout().Hash(), data_->digest()};
  config.compute = {spec::Compute::FP32};
  if (CpuSupportsBf16()) config.compute.push_back(spec::Compute::BF16);
  config.processor = CpuName();
  config.chunks = static_cast<ChunkNumber>(chunks.count());
  config.seed = config.process.value;
  return config;
}

absl::Status WorkerProcess::StartLoop() {
  const ChunkTable chunks(model_->layout().size(), job_.chunk_elements());
  TENOR_ASSIGN_OR_RETURN(metrics_, WorkerMetrics::Create(job_.name(), name_, kTenorVersion));
  loop_ = std::make_unique<WorkerLoop>(SessionConfig(), chunks, client_, trainer_.get(),
                                       group_.get(), clock_,
                                       [](const std::string& line) { LOG(WARNING) << line; });
  return absl::OkStatus();
}

absl::Status WorkerProcess::StartHttp() {
  HttpRoutes routes;
  routes["/metrics"] = [this] {
    return HttpResponse{200, MetricRegistry::kContentType, metrics_->Scrape(loop_->View())};
  };
  routes["/healthz"] = [this] {
    return loop_->turning() ? HttpResponse{200, "text/plain", "ok\n"}
                            : HttpResponse{503, "text/plain", "the loop does not turn\n"};
  };
  routes["/readyz"] = [this] {
    const WorkerView view = loop_->View();
    if (view.in_round) return HttpResponse{200, "text/plain", "ok\n"};
    return HttpResponse{503, "text/plain",
                        view.seated ? "waits for the next round\n" : "waits for the servers\n"};
  };
  TENOR_ASSIGN_OR_RETURN(http_, HttpServer::Start(flags_.http_bind,
                                                  static_cast<uint16_t>(flags_.http_port),
                                                  std::move(routes)));
  const std::string address = absl::StrCat(flags_.http_bind, ":", http_->Port());
  LOG(INFO) << "metrics at http://" << address << "/metrics";
  if (flags_.run_dir.empty()) return absl::OkStatus();
  spec::Endpoints::Process endpoint;
  endpoint.set_role("worker");
  endpoint.set_index(flags_.index.value_or(0));
  endpoint.set_name(name_);
  endpoint.set_http(address);
  endpoint.set_pid(getpid());
  return WriteEndpoint(*files_, flags_.run_dir, endpoint);
}

}  // namespace tenor

#include "tests/cluster/cluster.h"

#include <utility>

#include "base/check.h"
#include "base/random.h"
#include "base/version.h"
#include "proto/job_identity.h"
#include "proto/parse.h"
#include "proto/validate.h"
#include "server/runner/run_identity.h"

namespace tenor {
namespace {

constexpr char kRunFolder[] = "/run";

ParameterSpace SpaceOf(const spec::JobSpec& job) {
  absl::StatusOr<ParameterSpace> space = MakeParameterSpace(job);
  CHECK(space.ok()) << space.status().message();
  return *std::move(space);
}

Hashes HashesOf(const spec::JobSpec& job, const ParameterSpace& space, bool with_data) {
  Hashes hashes{kProtocolVersion, JobHash(job), space.layout.Hash(), ""};
  if (with_data) hashes.data = job.data().text().digest();
  return hashes;
}

spec::Manifest ManifestOf(const spec::JobSpec& job, const ParameterSpace& space, int shards) {
  spec::Manifest manifest;
  manifest.set_format_major(1);
  *manifest.mutable_job() = job;
  manifest.set_job_hash(JobHash(job));
  manifest.set_shards(shards);
  manifest.set_chunk_elements(static_cast<int64_t>(space.chunks.chunk_elements()));
  manifest.set_elements(static_cast<int64_t>(space.layout.size()));
  for (const Layout::Tensor& tensor : space.layout.tensors()) {
    spec::TensorEntry& entry = *manifest.add_layout();
    entry.set_name(tensor.name);
    for (int64_t dimension : tensor.shape) entry.add_shape(dimension);
    entry.set_offset(static_cast<int64_t>(tensor.offset));
  }
  manifest.set_layout_hash(space.layout.Hash());
  manifest.set_tenor_version(kTenorVersion);
  return manifest;
}

ProcessId ProcessOf(absl::string_view name) {
  uint64_t number = 1;
  for (char c : name) number = Mix64(number ^ static_cast<uint8_t>(c));
  return ProcessId{number | 1};
}

float CenterOf(uint64_t sample, size_t element) {
  return UniformFloat(RandomBits(sample, 1, element)) * 0.125f;
}

}  // namespace

absl::StatusOr<StepResult> BowlTrainer::Compute(const Directive& directive,
                                                const Progress& progress) {
  StepResult result;
  result.consumption = directive.leases;
  const std::span<const float> weights = group_.weights();
  const std::span<float> gradient = group_.gradient();
  std::fill(gradient.begin(), gradient.end(), 0.0f);
  for (const Lease& lease : directive.leases) {
    if (progress.cancelled->load()) {
      result.cancelled = true;
      return result;
    }
    for (int64_t sample = lease.from; sample < lease.to; ++sample) {
      const uint64_t id = Mix64(static_cast<uint64_t>(lease.segment * 100003 + sample));
      double loss = 0;
      for (size_t i = 0; i < gradient.size(); ++i) {
        const float difference = weights[i] - CenterOf(id, i % 64);
        gradient[i] += difference;
        loss += 0.5 * difference * difference;
      }
      result.loss_sum += loss / static_cast<double>(gradient.size());
      ++result.samples;
    }
    progress.micro_batch();
  }
  const size_t half = gradient.size() / 2;
  progress.final_from(half);
  progress.final_from(0);
  return result;
}

// ---------------------------------------------------------------- servers

ServerSet::ServerSet(const spec::JobSpec& job, int shards, FileSystem& files, const Clock& clock)
    : space_(SpaceOf(job)) {
  CHECK(BeginRun(files, kRunFolder, job, "nonce").ok());
  absl::StatusOr<std::unique_ptr<Journal>> journal =
      Journal::Open(files, kRunFolder, [](const absl::Status&) {});
  CHECK(journal.ok()) << journal.status().message();
  journal_ = *std::move(journal);
  CoordinatorRunner::Options options;
  options.config.job = job;
  options.config.process = ProcessOf("coordinator");
  options.config.shards = shards;
  options.config.chunks = static_cast<ChunkNumber>(space_.chunks.count());
  options.config.hashes = HashesOf(job, space_, true);
  options.config.regroup_window = absl::ZeroDuration();
  options.config.done_linger = absl::Milliseconds(500);
  options.config.reconnect_grace = absl::ZeroDuration();
  options.run_name = job.name();
  options.run_folder = kRunFolder;
  options.manifest = ManifestOf(job, space_, shards);
  options.on_exit = [this](int code, const std::string&) { End(code); };
  options.on_note = [](const Note&) {};
  options.on_step = [this](const StepRecord& record) {
    MutexLock lock(mu_);
    if (record.step.verdict == VerdictKind::kApply) ++applied_;
    changed_.NotifyAll();
  };
  coordinator_ = std::make_unique<CoordinatorRunner>(std::move(options), clock, files, *journal_);
  for (int k = 0; k < shards; ++k) {
    shard::Config config;
    config.shard = k;
    config.shards = shards;
    config.chunks = static_cast<ChunkNumber>(space_.chunks.count());
    config.process = ProcessOf("server " + std::to_string(k));
    config.hashes = HashesOf(job, space_, false);
    Engine::Options engine;
    engine.threads = 2;
    engine.identity = {kRunFolder, {}, k, shards};
    engine.optimizer = job.optimizer();
    links_.push_back(std::make_unique<LocalLink>(*coordinator_));
    shards_.push_back(std::make_unique<ShardRunner>(std::move(config), std::move(engine),
                                                    SpaceOf(job), clock, files, *links_.back(),
                                                    [](int, const std::string&) {}));
  }
  coordinator_->Start();
  for (size_t k = 0; k < shards_.size(); ++k) shards_[k]->Start("shard:" + std::to_string(k));
}

ServerSet::~ServerSet() {
  for (std::unique_ptr<ShardRunner>& shard : shards_) shard->Stop();
  coordinator_->Stop();
}

LocalServers ServerSet::services() {
  LocalServers servers;
  servers.coordinator = coordinator_.get();
  for (std::unique_ptr<ShardRunner>& shard : shards_) servers.shards.push_back(shard.get());
  return servers;
}

void ServerSet::End(int code) {
  MutexLock lock(mu_);
  exit_code_ = code;
  changed_.NotifyAll();
}

void ServerSet::WaitUntilInstalled() {
  while (coordinator_->View()->status.state < CoordinatorState::kWaiting) {
    std::this_thread::yield();
  }
}

int ServerSet::WaitForEnd() {
  MutexLock lock(mu_);
  changed_.Wait(mu_, [this]() TENOR_REQUIRES(mu_) { return exit_code_.has_value(); });
  return *exit_code_;
}

void ServerSet::WaitForSteps(int64_t applied) {
  MutexLock lock(mu_);
  changed_.Wait(
      mu_, [&]() TENOR_REQUIRES(mu_) { return applied_ >= applied || exit_code_.has_value(); });
}

// ---------------------------------------------------------------- workers

WorkerThread::WorkerThread(const spec::JobSpec& job, std::string name, LocalServers servers,
                           const Clock& clock)
    : space_(SpaceOf(job)), group_(space_.layout.size()), trainer_(&group_) {
  session::Config config;
  config.name = name;
  config.process = ProcessOf(name);
  config.hashes = HashesOf(job, space_, true);
  config.compute = {spec::Compute::FP32};
  config.chunks = static_cast<ChunkNumber>(space_.chunks.count());
  config.seed = config.process.value;
  client_ = MakeLocalClient(std::move(servers), name);
  loop_ = std::make_unique<WorkerLoop>(config, space_.chunks, client_.get(), &trainer_, &group_,
                                       &clock, [](std::string) {});
  thread_ = std::thread([this] { exit_code_ = loop_->Run().exit_code; });
}

WorkerThread::~WorkerThread() { Join(); }

int WorkerThread::Join() {
  if (thread_.joinable()) thread_.join();
  return exit_code_;
}

spec::JobSpec ClusterJob(int64_t updates, spec::Codec::Id codec) {
  absl::StatusOr<spec::JobSpec> job = ParseJobSpec(R"(
    name: "cluster"
    model { mlstm { hidden: 16 embedding: 16 } }
    data { text { digest: "crc32c:00000001" bytes: 4097 segment_bytes: 64 warmup_bytes: 16 } }
    batch { micro_batch: 2 window: 4 }
    optimizer { adam { } clip_norm: 1.0 }
    schedule { constant { peak: 0.01 } }
    stop { updates: 1 }
    seed: 1
    chunk_elements: 512
    tunables { accumulation_steps: 2 checkpoint_every: 5 }
  )",
                                                   "cluster.textproto");
  CHECK(job.ok()) << job.status().message();
  job->mutable_stop()->set_updates(updates);
  job->mutable_tunables()->set_push_codec(codec);
  job->mutable_tunables()->set_pull_codec(codec);
  return *job;
}

}  // namespace tenor

#include "tests/sim/job.h"

#include "absl/strings/str_cat.h"

namespace tenor::sim {
namespace {

constexpr char kRunNonce[] = "nonce";

void FillTunables(const Plan& plan, spec::Tunables* tunables) {
  tunables->set_accumulation_steps(2);
  tunables->set_push_codec(spec::Codec::FP16);
  tunables->set_pull_codec(spec::Codec::FP16);
  tunables->set_learning_rate_scale(1);
  tunables->set_checkpoint_every(4);
  tunables->set_min_workers(1);
  tunables->set_heartbeat_timeout(1);
  tunables->set_round_deadline(static_cast<double>(plan.round_deadline) / 1000);
  tunables->set_pause(false);
  tunables->set_keep_checkpoints(2);
  tunables->set_keep_every(0);
}

spec::JobSpec JobOf(const Plan& plan) {
  spec::JobSpec job;
  job.set_name("sim");
  job.mutable_model()->mutable_mlstm()->set_hidden(1);
  job.mutable_model()->mutable_mlstm()->set_embedding(1);
  spec::TextData* text = job.mutable_data()->mutable_text();
  text->set_digest("crc32c:00000000");
  text->set_bytes(plan.pass_samples() + 1);
  text->set_segment_bytes(plan.segment_samples);
  text->set_warmup_bytes(plan.window);
  job.mutable_batch()->set_micro_batch(plan.micro_batch);
  job.mutable_batch()->set_window(plan.window);
  spec::AdamSpec* adam = job.mutable_optimizer()->mutable_adam();
  adam->set_beta1(0.9F);
  adam->set_beta2(0.999F);
  adam->set_epsilon(1e-8F);
  adam->set_weight_decay(0);
  adam->set_bias_correction(true);
  job.mutable_schedule()->mutable_constant()->set_peak(0.1F);
  job.mutable_stop()->set_data_epochs(plan.passes);
  job.set_seed(static_cast<int64_t>(plan.seed));
  job.set_chunk_elements(1);
  spec::LossScaleSpec* scale = job.mutable_loss_scale();
  scale->set_initial_log2(3);
  scale->set_minimum_log2(0);
  scale->set_maximum_log2(3);
  scale->set_growth_rounds(6);
  scale->set_max_skips(8);
  FillTunables(plan, job.mutable_tunables());
  return job;
}

Hashes HashesOf() {
  Hashes hashes;
  hashes.protocol = 1;
  hashes.job = 2;
  hashes.layout = 3;
  hashes.data = "crc32c:00000000";
  return hashes;
}

}  // namespace

CoordinatorConfig CoordinatorConfigOf(const Plan& plan, ProcessNumber process) {
  CoordinatorConfig config;
  config.job = JobOf(plan);
  config.process = {static_cast<uint64_t>(process)};
  config.shards = plan.shards;
  config.chunks = plan.chunks;
  config.tensors = plan.two_phase ? 1 : 0;
  config.hashes = HashesOf();
  config.run_nonce = kRunNonce;
  config.use_norms = plan.two_phase;
  config.scale_loss = true;
  config.name_hold = absl::Milliseconds(400);
  config.reconnect_grace = absl::Milliseconds(300);
  config.server_grace = absl::Milliseconds(400);
  config.regroup_window = absl::Milliseconds(400);
  config.claim_read_period = absl::Milliseconds(2000);
  config.install_retry = absl::Milliseconds(500);
  config.save_retry = absl::Milliseconds(300);
  config.idle_cut_after = absl::Milliseconds(2000);
  config.done_linger = absl::InfiniteDuration();
  return config;
}

shard::Config ShardConfigOf(const Plan& plan, int shard, ProcessNumber process) {
  shard::Config config;
  config.shard = shard;
  config.shards = plan.shards;
  config.chunks = plan.chunks;
  config.two_phase = plan.two_phase;
  config.credit_bytes = kFrameBytes * plan.credits;
  config.process = {static_cast<uint64_t>(process)};
  config.address = ServerAddress(shard);
  config.run_nonce = kRunNonce;
  config.hashes = HashesOf();
  config.name_wait = absl::Milliseconds(kNameWait);
  config.busy_gap = absl::Milliseconds(1000);
  config.coordinator_silence = absl::Milliseconds(1000);
  return config;
}

session::Config SessionConfigOf(const Plan& plan, int worker, ProcessNumber process) {
  session::Config config;
  config.name = WorkerName(worker);
  config.process = {static_cast<uint64_t>(process)};
  config.hashes = HashesOf();
  config.compute = {spec::Compute::FP32};
  config.processor = "simulated";
  config.chunks = plan.chunks;
  config.seed = plan.seed * 1000 + process;
  config.retry_maximum = absl::Milliseconds(500);
  config.name_wait = absl::Milliseconds(kNameWait);
  config.push_repeat = absl::Milliseconds(250);
  config.pull_repeat = absl::Milliseconds(250);
  config.hello_repeat = absl::Milliseconds(250);
  return config;
}

std::string ServerAddress(int shard) { return absl::StrCat("s", shard); }

std::string WorkerName(int worker) { return absl::StrCat("w", worker); }

}  // namespace tenor::sim

#include "server/core/scenario.h"

#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "google/protobuf/text_format.h"
#include "server/core/trace.h"

namespace tenor {

namespace {

int64_t Number(absl::string_view text) {
  int64_t value = 0;
  return absl::SimpleAtoi(text, &value) ? value : 0;
}

// "key=value" -> value, for one key; `otherwise` where no word has it.
std::string Value(const std::vector<std::string>& words, absl::string_view key,
                  const std::string& otherwise) {
  for (const std::string& word : words) {
    const std::pair<std::string, std::string> parts = absl::StrSplit(word, absl::MaxSplits('=', 1));
    if (parts.first == key) return parts.second;
  }
  return otherwise;
}

int64_t Int(const std::vector<std::string>& words, absl::string_view key, int64_t otherwise) {
  return Number(Value(words, key, absl::StrCat(otherwise)));
}

bool Has(const std::vector<std::string>& words, absl::string_view word) {
  for (const std::string& x : words) {
    if (x == word) return true;
  }
  return false;
}

ShardPhase Phase(absl::string_view text) {
  if (text == "idle") return ShardPhase::kIdle;
  if (text == "open") return ShardPhase::kOpen;
  if (text == "loading") return ShardPhase::kLoading;
  if (text == "norms") return ShardPhase::kNormsDone;
  return ShardPhase::kEmpty;
}

constexpr uint64_t kJobHash = 7;
constexpr uint64_t kLayoutHash = 8;

}  // namespace

Scenario::Scenario() { Configure({}); }
Scenario::~Scenario() = default;

void Scenario::Configure(const Words& words) {
  config_ = CoordinatorConfig();
  spec::JobSpec& job = config_.job;
  job.mutable_data()->mutable_text()->set_bytes(Int(words, "samples", 64) + 1);
  job.mutable_data()->mutable_text()->set_segment_bytes(Int(words, "segment", 8));
  job.mutable_batch()->set_micro_batch(static_cast<int32_t>(Int(words, "lanes", 1)));
  job.mutable_batch()->set_window(static_cast<int32_t>(Int(words, "window", 4)));
  job.mutable_optimizer()->set_clip_norm(static_cast<float>(Int(words, "clip", 0)));
  job.mutable_schedule()->mutable_constant()->set_peak(0.5);
  job.mutable_stop()->set_updates(Int(words, "updates", 0));
  job.mutable_stop()->set_data_epochs(Int(words, "epochs", 0));
  job.mutable_loss_scale()->set_initial_log2(2);
  job.mutable_loss_scale()->set_max_skips(static_cast<int32_t>(Int(words, "max_skips", 8)));
  job.mutable_tunables()->set_checkpoint_every(Int(words, "every", 0));
  job.mutable_tunables()->set_min_workers(static_cast<int32_t>(Int(words, "min", 1)));
  job.mutable_tunables()->set_round_deadline(static_cast<double>(Int(words, "deadline", 0)));
  config_.process = {1};
  config_.shards = static_cast<int32_t>(Int(words, "K", 1));
  config_.chunks = static_cast<int32_t>(Int(words, "chunks", 3));
  config_.tensors = 1;
  config_.hashes = {1, kJobHash, kLayoutHash, "crc32c:0"};
  config_.run_nonce = "run";
  config_.use_norms = Has(words, "norms");
  config_.scale_loss = Has(words, "fp16");
  config_.start_deadline = absl::Seconds(Int(words, "start_deadline", 0));
  config_.done_linger = absl::Milliseconds(Int(words, "linger_ms", 5000));
}

void Scenario::Send(const Event& event) { Take(coordinator_->Handle(now_, event)); }

void Scenario::Take(const std::vector<Effect>& effects) {
  for (const Effect& effect : effects) Note(effect);
}

void Scenario::Note(const Effect& effect) {
  std::string line = TraceOf(effect);
  if (const auto* to = std::get_if<ToWorker>(&effect)) {
    std::string name = absl::StrCat("connection ", to->connection.value);
    for (auto& [known, worker] : workers_) {
      if (worker.connection != to->connection) continue;
      name = known;
      if (const auto* granted = std::get_if<Granted>(&to->message)) {
        worker.incarnation = granted->incarnation;
        worker.lineage = granted->lineage;
      }
      if (const auto* directive = std::get_if<Directive>(&to->message)) {
        worker.directive = *directive;
      }
    }
    line = absl::StrCat(name, ": ", line);
  }
  if (const auto* to = std::get_if<ToShard>(&effect)) {
    Shard& shard = shards_[std::clamp(to->shard, 0, config_.shards - 1)];
    if (const auto* ack = std::get_if<HelloAck>(&to->message)) shard.status.nonce = ack->nonce;
  }
  if (const auto* x = std::get_if<ClaimLineage>(&effect)) operations_["claim"] = x->operation;
  if (const auto* x = std::get_if<ReadClaim>(&effect)) reads_.push_back(x->operation);
  if (const auto* x = std::get_if<WriteTunables>(&effect)) operations_["tunables"] = x->operation;
  if (const auto* x = std::get_if<RenameDamaged>(&effect)) operations_["rename"] = x->operation;
  if (const auto* x = std::get_if<WriteManifest>(&effect)) {
    operations_["manifest"] = x->operation;
    saved_record_ = x->record;
  }
  if (!quiet_) absl::StrAppend(&trace_, line, "\n");
}

void Scenario::NewShard(int32_t k) {
  Shard& shard = shards_[k];
  shard.connection = {++connections_};
  shard.present = true;
  shard.status = Status();
  shard.status.process = {++processes_};
  shard.status.shard = k;
  shard.status.shards = config_.shards;
  shard.status.hashes = {1, kJobHash, kLayoutHash, ""};
  shard.status.run_nonce = "run";
  shard.status.address = absl::StrCat("s", k, ":1");
}

void Scenario::SayStatus(int32_t k) { Send(ShardSays{shards_[k].connection, shards_[k].status}); }

void Scenario::StartAll(const Words& words) {
  now_ = absl::ZeroDuration();
  workers_.clear();
  reads_.clear();
  shards_.assign(config_.shards, Shard());
  coordinator_ = std::make_unique<Coordinator>(config_);
  Take(coordinator_->Start());
  if (Has(words, "only")) return;
  quiet_ = Has(words, "quiet");
  OnClaimed({"claimed", "g=1"});
  for (int32_t k = 0; k < config_.shards; ++k) {
    NewShard(k);
    SayStatus(k);
    SayStatus(k);
  }
  OnShards({"shards", "install", "g=1"});
  for (const absl::string_view part :
       absl::StrSplit(Value(words, "workers", ""), ',', absl::SkipEmpty())) {
    const std::string name(part);
    OnWorker({"worker", name, "joins"});
    OnWorker({"worker", name, "beats", "warm"});
  }
  quiet_ = false;
}

void Scenario::OnTick(const Words& words) {
  const int64_t count = words.size() > 1 ? Number(words[1]) : 1;
  for (int64_t i = 0; i < count; ++i) {
    now_ += absl::Milliseconds(Int(words, "ms", 50));
    if (Has(words, "beats")) {
      for (const auto& [name, worker] : workers_) {
        if (worker.incarnation.value != 0) Beat(name, {});
      }
    }
    if (Has(words, "statuses")) {
      for (int32_t k = 0; k < config_.shards; ++k) SayStatus(k);
    }
    Send(Tick{});
  }
}

void Scenario::Change(Shard* shard, const std::string& word) {
  const std::pair<std::string, std::string> parts = absl::StrSplit(word, absl::MaxSplits('=', 1));
  Status& status = shard->status;
  const int64_t value = Number(parts.second);
  if (parts.first == "phase") status.phase = Phase(parts.second);
  if (parts.first == "g") status.lineage = value;
  if (parts.first == "finished") status.finished = value;
  if (parts.first == "v") status.version = value;
  if (parts.first == "shards") status.shards = static_cast<int32_t>(value);
  if (parts.first == "job") status.hashes.job = static_cast<uint64_t>(value);
  if (parts.first == "run") status.run_nonce = parts.second;
  if (parts.first == "waits") status.waits_for = absl::StrSplit(parts.second, ',');
  if (parts.first == "leaving") status.wants_to_leave = true;
  if (parts.first == "damaged" || parts.first == "unreadable") {
    status.phase = ShardPhase::kEmpty;
    status.load_error_lineage = status.lineage;
    status.load_error = parts.first == "damaged" ? LoadErrorKind::kDamaged : LoadErrorKind::kOther;
    status.load_error_text = parts.first;
  }
}

// shard K new|closes|says [field=value...]
void Scenario::OnShard(const Words& words) {
  const int32_t k = static_cast<int32_t>(Number(words[1]));
  if (words[2] == "new") NewShard(k);
  if (words[2] == "closes") return Send(ShardStreamClosed{shards_[k].connection});
  for (const std::string& word : words) Change(&shards_[k], word);
  SayStatus(k);
}

// shards install|open|ready|finish|saved|failed|norms [only=K]: what all shards, or one, do next.
void Scenario::OnShards(const Words& words) {
  const int64_t only = Int(words, "only", -1);
  const Label label = coordinator_->Describe().label;
  const Version version = coordinator_->Describe().version;
  const Round finished = coordinator_->Describe().last_verdict;
  for (int32_t k = 0; k < config_.shards; ++k) {
    if (only >= 0 && k != only) continue;
    Status& status = shards_[k].status;
    const CheckpointName name{status.lineage, Int(words, "r", finished), version};
    if (words[1] == "install") {
      status.lineage = Int(words, "g", 1);
      status.phase = ShardPhase::kIdle;
      status.finished = finished;
      status.version = version;
      status.open = {status.lineage, finished, 0};
    } else if (words[1] == "open") {
      status.phase = ShardPhase::kOpen;
      status.open = label;
      status.ready = false;
    } else if (words[1] == "ready") {
      status.phase = ShardPhase::kOpen;
      status.open = label;
      status.ready = true;
      status.finite = !Has(words, "bad");
      status.square_sums.assign(
          config_.chunks > k ? (config_.chunks - k - 1) / config_.shards + 1 : 0, 16.0);
    } else if (words[1] == "norms") {
      status.phase = ShardPhase::kNormsDone;
      status.norms = {{0, 16.0, 4.0, k}};
    } else if (words[1] == "finish") {
      status.phase = ShardPhase::kIdle;
      status.ready = false;
      status.finished = Int(words, "r", finished);
      status.version = version;
    } else if (words[1] == "saved") {
      status.saved = name;
      status.saved_file = {absl::StrCat("shard-", k), 10, 0};
    } else if (words[1] == "failed") {
      status.failed = name;
      status.save_error = "disk full";
    }
    SayStatus(k);
  }
}

void Scenario::Join(const std::string& name) {
  Worker& worker = workers_[name];
  tenor::Join join;
  join.name = name;
  join.process = worker.process;
  join.lineage = worker.lineage;
  join.weight = worker.weight;
  join.hashes = config_.hashes;
  join.compute = {spec::Compute::FP32};
  join.processor = "abacus";
  Send(WorkerSays{worker.connection, absl::StrCat(name, ":1"), join});
}

void Scenario::Beat(const std::string& name, const Words& words) {
  Worker& worker = workers_[name];
  Heartbeat beat;
  beat.name = name;
  beat.incarnation = worker.incarnation;
  beat.lineage = Int(words, "g", worker.lineage);
  beat.label = worker.directive.label;
  if (Has(words, "moves")) ++worker.progress;
  beat.progress = worker.progress;
  beat.computed = Has(words, "computed");
  beat.warm = Has(words, "warm");
  beat.weight = worker.weight;
  Send(WorkerSays{worker.connection, absl::StrCat(name, ":1"), beat});
}

void Scenario::Report(const std::string& name, const Words& words) {
  const Worker& worker = workers_[name];
  tenor::Report report;
  report.label = worker.directive.label;
  report.name = name;
  report.incarnation = worker.incarnation;
  report.finite = !Has(words, "bad");
  report.consumption = worker.directive.leases;
  if (Has(words, "nothing")) report.consumption.clear();
  for (const Lease& lease : report.consumption) report.samples += lease.to - lease.from;
  if (Has(words, "lies")) report.samples += 1;
  report.loss_sum = 2.0 * static_cast<double>(report.samples);
  Send(WorkerSays{worker.connection, absl::StrCat(name, ":1"), report});
}

// worker NAME joins [weight=N] [again] | beats [warm] [computed] [moves] | reports | retracts |
// leaves | closes | attaches | restarts
void Scenario::OnWorker(const Words& words) {
  const std::string& name = words[1];
  Worker& worker = workers_[name];
  if (words[2] == "joins") {
    if (!Has(words, "again")) {
      worker = Worker();
      worker.connection = {++connections_};
      worker.process = {++processes_};
    }
    worker.weight = static_cast<int32_t>(Int(words, "weight", 1));
    if (Has(words, "stranger")) config_.hashes.job = 99;
    Join(name);
    config_.hashes.job = kJobHash;
  }
  if (words[2] == "beats") Beat(name, words);
  if (words[2] == "reports") Report(name, words);
  if (words[2] == "closes") Send(WorkerStreamClosed{worker.connection});
  if (words[2] == "attaches") {
    worker.connection = {++connections_};
    Beat(name, words);
  }
  if (words[2] == "retracts") {
    Send(WorkerSays{worker.connection, "",
                    Retract{worker.directive.label, name, worker.incarnation}});
  }
  if (words[2] == "leaves") {
    Send(WorkerSays{worker.connection, "", Leave{name, worker.incarnation, worker.lineage}});
  }
}

// claimed g=N [base=G,R,V] [saved] [error=TEXT]
void Scenario::OnClaimed(const Words& words) {
  Claimed claimed;
  claimed.operation = operations_["claim"];
  claimed.lineage = Int(words, "g", 1);
  claimed.tunables = config_.job.tunables();
  if (Has(words, "saved")) {
    claimed.record = saved_record_;
    claimed.base = {Int(words, "from", 1), saved_record_.round(), saved_record_.version()};
  }
  const std::string error = Value(words, "error", "");
  if (!error.empty()) claimed.error = absl::DataLossError(error);
  Send(claimed);
}

// set [request=N] [at=N] [dry] FIELD:VALUE...
void Scenario::OnSet(const Words& words) {
  SetTunables set;
  set.request = {static_cast<uint64_t>(Int(words, "request", 1))};
  set.at_step = Int(words, "at", 0);
  set.dry_run = Has(words, "dry");
  std::string text;
  for (const std::string& word : words) {
    if (absl::StrContains(word, ":")) absl::StrAppend(&text, word, " ");
  }
  if (!google::protobuf::TextFormat::ParseFromString(text, &set.change)) {
    absl::StrAppend(&trace_, "error: ", text, "\n");
  }
  Send(set);
}

// done read [g=N] | tunables | manifest | rename, each [error=TEXT]
void Scenario::OnDone(const Words& words) {
  const std::string error = Value(words, "error", "");
  const absl::Status status = error.empty() ? absl::OkStatus() : absl::InternalError(error);
  if (words[1] == "read") {
    for (OperationId operation : std::exchange(reads_, {})) {
      Send(ClaimRead{operation, status, Int(words, "g", coordinator_->Describe().label.lineage)});
    }
  }
  if (words[1] == "tunables") Send(TunablesWritten{operations_["tunables"], status});
  if (words[1] == "manifest") Send(ManifestWritten{operations_["manifest"], status});
  if (words[1] == "rename") Send(DamagedRenamed{operations_["rename"], status});
}

void Scenario::Describe() {
  const CoordinatorStatus status = coordinator_->Describe();
  absl::StrAppend(&trace_, StateName(status.state), " ", TraceOf(status.label), " v",
                  status.version, status.reason.empty() ? "" : ": ", status.reason, "\n");
  for (const SeatStatus& seat : status.seats) {
    absl::StrAppend(&trace_, "  ", seat.name, " ", seat.state, seat.reported ? ", reported" : "",
                    "\n");
  }
}

std::string Scenario::Run(const std::string& command) {
  trace_.clear();
  const Words words = absl::StrSplit(command, ' ', absl::SkipEmpty());
  const std::string& verb = words[0];
  if (verb == "config") {
    Configure(words);
  } else if (verb == "start") {
    StartAll(words);
  } else if (verb == "tick") {
    OnTick(words);
  } else if (verb == "shard") {
    OnShard(words);
  } else if (verb == "shards") {
    OnShards(words);
  } else if (verb == "worker") {
    OnWorker(words);
  } else if (verb == "claimed") {
    OnClaimed(words);
  } else if (verb == "done") {
    OnDone(words);
  } else if (verb == "set") {
    OnSet(words);
  } else if (verb == "stop") {
    Send(StopRun{{static_cast<uint64_t>(Int(words, "request", 1))}, "asked"});
  } else if (verb == "checkpoint") {
    Send(CheckpointNow{{static_cast<uint64_t>(Int(words, "request", 1))}});
  } else if (verb == "evict") {
    Send(EvictMember{{static_cast<uint64_t>(Int(words, "request", 1))}, words[1]});
  } else if (verb == "describe") {
    Describe();
  } else {
    absl::StrAppend(&trace_, "error: unknown command ", verb, "\n");
  }
  return trace_;
}

std::string RunScript(absl::string_view script) {
  Scenario scenario;
  std::string out;
  std::string trace;
  bool expected = false;
  for (const absl::string_view part : absl::StrSplit(script, '\n')) {
    const std::string line(part);
    if (expected && !line.empty()) continue;
    if (expected) absl::StrAppend(&out, std::exchange(trace, ""), "\n");
    if (!expected && (line.empty() || line[0] == '#')) absl::StrAppend(&out, line, "\n");
    expected = !expected && line == "----";
    if (line.empty() || line[0] == '#') continue;
    absl::StrAppend(&out, line, "\n");
    if (!expected) absl::StrAppend(&trace, scenario.Run(line));
  }
  if (expected) absl::StrAppend(&out, trace);
  while (absl::EndsWith(out, "\n\n")) out.pop_back();
  return out;
}

}  // namespace tenor

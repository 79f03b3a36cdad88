#include "server/server_metrics.h"

#include <cmath>
#include <utility>

#include "base/status.h"

namespace tenor {
namespace {

constexpr absl::Duration kForgetWorkerAfter = absl::Minutes(1);

const char* VerdictLabel(VerdictKind verdict) {
  switch (verdict) {
    case VerdictKind::kApply:
      return "applied";
    case VerdictKind::kSkip:
      return "skipped";
    case VerdictKind::kDrop:
      return "dropped";
    case VerdictKind::kVoid:
      return "void";
  }
  return "void";
}

double SecondsSinceEpoch(absl::Time time) {
  return absl::ToDoubleSeconds(time - absl::UnixEpoch());
}

// What a growing total gained; a total that fell began anew.
template <typename Number>
double Gain(Number now, Number* before) {
  const Number gain = now >= *before ? now - *before : now;
  *before = now;
  return static_cast<double>(gain);
}

}  // namespace

struct ServerMetrics::Families {
  MetricGauge* step = nullptr;
  MetricCounter* rounds = nullptr;
  MetricCounter* samples_dropped = nullptr;
  MetricGauge* loss = nullptr;
  MetricGauge* bits_per_character = nullptr;
  MetricGauge* learning_rate = nullptr;
  MetricGauge* loss_scale = nullptr;
  MetricGauge* accumulation_steps = nullptr;
  MetricCounter* samples = nullptr;
  MetricCounter* tokens = nullptr;
  MetricCounter* phase_seconds = nullptr;
  MetricCounter* wire_bytes = nullptr;
  MetricCounter* compute_seconds = nullptr;
  MetricCounter* wait_seconds = nullptr;
  MetricGauge* members = nullptr;
  MetricGauge* members_missing = nullptr;
  MetricCounter* member_changes = nullptr;
  MetricGauge* queue_bytes = nullptr;
  MetricGauge* last_step = nullptr;
  MetricGauge* last_checkpoint = nullptr;
  MetricCounter* save_wait = nullptr;
  MetricGauge* build_info = nullptr;

  absl::Status AddTraining(MetricRegistry& registry);
  absl::Status AddProcess(MetricRegistry& registry);
};

absl::Status ServerMetrics::Families::AddTraining(MetricRegistry& registry) {
  TENOR_ASSIGN_OR_RETURN(step, registry.AddGauge("tenor_step", "Applied updates.", {}));
  TENOR_ASSIGN_OR_RETURN(
      rounds, registry.AddCounter("tenor_rounds_total", "Rounds by verdict.", {"verdict"}));
  TENOR_ASSIGN_OR_RETURN(samples_dropped,
                         registry.AddCounter("tenor_samples_dropped_total",
                                             "Samples whose gradient was never finite.", {}));
  TENOR_ASSIGN_OR_RETURN(
      loss, registry.AddGauge("tenor_loss_nats", "Mean loss of the last round, a sample.", {}));
  TENOR_ASSIGN_OR_RETURN(
      bits_per_character,
      registry.AddGauge("tenor_bpc", "Mean loss of the last round in bits a byte.", {}));
  TENOR_ASSIGN_OR_RETURN(learning_rate,
                         registry.AddGauge("tenor_learning_rate", "Of the last update.", {}));
  TENOR_ASSIGN_OR_RETURN(loss_scale,
                         registry.AddGauge("tenor_loss_scale", "Of the last round.", {}));
  TENOR_ASSIGN_OR_RETURN(
      accumulation_steps,
      registry.AddGauge("tenor_accumulation_steps", "Micro-batches a round and worker.", {}));
  TENOR_ASSIGN_OR_RETURN(
      samples, registry.AddCounter("tenor_samples_total", "Samples of applied updates.", {}));
  TENOR_ASSIGN_OR_RETURN(
      tokens, registry.AddCounter("tenor_tokens_total", "Tokens of applied updates.", {}));
  TENOR_ASSIGN_OR_RETURN(members,
                         registry.AddGauge("tenor_members", "Members of the present view.", {}));
  TENOR_ASSIGN_OR_RETURN(members_missing,
                         registry.AddGauge("tenor_members_missing",
                                           "Members of the checkpoint that are not back.", {}));
  TENOR_ASSIGN_OR_RETURN(member_changes,
                         registry.AddCounter("tenor_member_changes_total", "Seats taken and lost.",
                                             {"change", "reason"}));
  TENOR_ASSIGN_OR_RETURN(compute_seconds,
                         registry.AddCounter("tenor_worker_compute_seconds_total",
                                             "Seconds a worker computed.", {"worker"}));
  TENOR_ASSIGN_OR_RETURN(wait_seconds,
                         registry.AddCounter("tenor_worker_wait_seconds_total",
                                             "Seconds a worker waited for weights.", {"worker"}));
  TENOR_ASSIGN_OR_RETURN(last_step, registry.AddGauge("tenor_last_step_timestamp_seconds",
                                                      "Time of the last update.", {}));
  TENOR_ASSIGN_OR_RETURN(last_checkpoint,
                         registry.AddGauge("tenor_last_checkpoint_timestamp_seconds",
                                           "Time of the last checkpoint.", {}));
  return absl::OkStatus();
}

absl::Status ServerMetrics::Families::AddProcess(MetricRegistry& registry) {
  TENOR_ASSIGN_OR_RETURN(phase_seconds,
                         registry.AddCounter("tenor_phase_seconds_total",
                                             "Seconds in each state of the run.", {"phase"}));
  TENOR_ASSIGN_OR_RETURN(wire_bytes,
                         registry.AddCounter("tenor_wire_bytes_total", "Bytes of data streams.",
                                             {"direction", "kind"}));
  TENOR_ASSIGN_OR_RETURN(queue_bytes,
                         registry.AddGauge("tenor_queue_bytes", "Bytes that wait.", {"queue"}));
  TENOR_ASSIGN_OR_RETURN(
      save_wait, registry.AddCounter("tenor_save_wait_seconds_total",
                                     "Seconds an update waited for a checkpoint's snapshot.", {}));
  TENOR_ASSIGN_OR_RETURN(build_info,
                         registry.AddGauge("tenor_build_info", "1, labelled.", {"version"}));
  return absl::OkStatus();
}

ServerMetrics::ServerMetrics(std::unique_ptr<MetricRegistry> registry,
                             std::unique_ptr<Families> families, bool text_samples)
    : registry_(std::move(registry)), families_(std::move(families)), text_samples_(text_samples) {}

ServerMetrics::~ServerMetrics() = default;

absl::StatusOr<std::unique_ptr<ServerMetrics>> ServerMetrics::Create(absl::string_view run,
                                                                     absl::string_view version,
                                                                     bool text_samples) {
  TENOR_ASSIGN_OR_RETURN(std::unique_ptr<MetricRegistry> registry,
                         MetricRegistry::Create({{"run", std::string(run)}}));
  auto families = std::make_unique<Families>();
  TENOR_RETURN_IF_ERROR(families->AddTraining(*registry));
  TENOR_RETURN_IF_ERROR(families->AddProcess(*registry));
  families->build_info->Set({std::string(version)}, 1);
  for (const char* verdict : {"applied", "skipped", "dropped", "void"}) {
    families->rounds->Touch({verdict});
  }
  for (const char* direction : {"in", "out"}) {
    for (const char* kind : {"payload", "overhead"}) families->wire_bytes->Touch({direction, kind});
  }
  return std::unique_ptr<ServerMetrics>(
      new ServerMetrics(std::move(registry), std::move(families), text_samples));
}

void ServerMetrics::OnStep(const StepRecord& record) {
  const StepDone& step = record.step;
  families_->rounds->Increment({VerdictLabel(step.verdict)}, 1);
  families_->step->Set(static_cast<double>(step.version));
  families_->loss_scale->Set(std::exp2(step.loss_scale_log2));
  families_->accumulation_steps->Set(step.accumulation_steps);
  if (step.verdict == VerdictKind::kDrop) families_->samples_dropped->Increment(step.samples);
  if (step.verdict != VerdictKind::kApply) return;
  families_->loss->Set(step.loss);
  if (text_samples_) families_->bits_per_character->Set(step.loss / std::log(2.0));
  families_->learning_rate->Set(step.learning_rate);
  families_->samples->Increment(static_cast<double>(step.samples));
  if (text_samples_) families_->tokens->Increment(static_cast<double>(step.samples));
  families_->last_step->Set(SecondsSinceEpoch(record.time));
}

void ServerMetrics::OnNote(const Note& note) {
  if (note.kind != "join" && note.kind != "lost") return;
  families_->member_changes->Increment({std::string(note.kind), note.reason}, 1);
}

void ServerMetrics::Update(const RunView& view, absl::Duration now) {
  MutexLock lock(mu_);
  const CoordinatorStatus& status = view.status;
  int in_view = 0;
  for (const SeatStatus& seat : status.seats) in_view += seat.in_view ? 1 : 0;
  families_->members->Set(in_view);
  families_->members_missing->Set(static_cast<double>(status.missing.size()));
  families_->step->Set(static_cast<double>(status.version));
  if (view.last_checkpoint_time != absl::InfinitePast()) {
    families_->last_checkpoint->Set(SecondsSinceEpoch(view.last_checkpoint_time));
  }
  const absl::Duration elapsed = now - std::exchange(updated_, now);
  families_->phase_seconds->Increment({std::string(StateName(status.state))},
                                      absl::ToDoubleSeconds(elapsed));
  UpdateWorkers(view, now);
}

void ServerMetrics::UpdateWorkers(const RunView& view, absl::Duration now) {
  for (const SeatStatus& seat : view.status.seats) {
    Worker& worker = workers_[seat.name];
    worker.seen = now;
    families_->compute_seconds->Increment({seat.name}, Gain(seat.compute_seconds, &worker.compute));
    families_->wait_seconds->Increment({seat.name}, Gain(seat.wait_seconds, &worker.wait));
  }
  std::erase_if(workers_, [&](const auto& entry) {
    if (now - entry.second.seen < kForgetWorkerAfter) return false;
    families_->compute_seconds->Remove({entry.first});
    families_->wait_seconds->Remove({entry.first});
    return true;
  });
}

void ServerMetrics::Update(const ShardTotals& totals) {
  MutexLock lock(mu_);
  MetricCounter& wire = *families_->wire_bytes;
  wire.Increment({"in", "payload"}, Gain(totals.payload_bytes_in, &bytes_in_));
  wire.Increment({"out", "payload"}, Gain(totals.payload_bytes_out, &bytes_out_));
  wire.Increment({"in", "overhead"}, Gain(totals.overhead_bytes_in, &overhead_in_));
  wire.Increment({"out", "overhead"}, Gain(totals.overhead_bytes_out, &overhead_out_));
  families_->queue_bytes->Set({"contributions"}, static_cast<double>(totals.held_bytes));
  families_->save_wait->Increment(Gain(totals.save_wait_seconds, &save_wait_));
}

}  // namespace tenor

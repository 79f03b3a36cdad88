// Verdicts and norms (docs/protocol.md 2).
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "server/core/coordinator_machine.h"
#include "server/core/scaler.h"
#include "server/core/schedule.h"
#include "server/core/stop.h"
#include "server/core/verdict.h"

namespace tenor {

namespace {

constexpr int32_t kDropsThatStop = 3;

absl::string_view KindOf(VerdictKind verdict) {
  switch (verdict) {
    case VerdictKind::kApply:
      return "apply";
    case VerdictKind::kSkip:
      return "skip";
    case VerdictKind::kDrop:
      return "drop";
    case VerdictKind::kVoid:
      return "void";
  }
  return "void";
}

}  // namespace

void Coordinator::Machine::DecideIfComplete() {
  if (state_ == State::kCollecting && round_.Complete(config_.shards)) DecideRound();
}

Coordinator::Machine::Sums Coordinator::Machine::AddUp() const {
  Sums sums;
  sums.totals = AddReports(round_.view, round_.reports);
  std::vector<std::vector<double>> by_shard;
  for (const auto& [shard, squares] : round_.ready) by_shard.push_back(squares);
  const double square_sum = AddChunks(by_shard, config_.chunks);
  sums.norm = GradientNorm(square_sum, sums.totals.samples);
  sums.finite = sums.totals.finite && round_.shards_finite && std::isfinite(square_sum);
  return sums;
}

void Coordinator::Machine::DecideRound() {
  const Sums sums = AddUp();
  const VerdictKind verdict =
      Judge(scaler_rules_, record_.scaler(), sums.finite, sums.totals.samples);
  SetDecided(verdict, sums);
  Commit(verdict, sums);
  Count(verdict, sums);
  CheckEnd(verdict, sums);
  if (verdict == VerdictKind::kApply && round_.terms.flush && !save_) {
    decided_->finish.save = true;
    StartSave(false);
  }
  ordered_all_ = false;
  state_ = decided_->finish_enabled ? State::kWaiting : State::kNorms;
  GoOn();
}

void Coordinator::Machine::SetDecided(VerdictKind verdict, const Sums& sums) {
  decided_.emplace();
  Finish& finish = decided_->finish;
  finish.label = round_.label;
  finish.verdict = verdict;
  finish.loss_scale_log2 = round_.terms.loss_scale_log2;
  if (verdict == VerdictKind::kApply) {
    finish.divisor = static_cast<double>(sums.totals.samples);
    finish.coefficient = ClipCoefficient(sums.norm, config_.job.optimizer().clip_norm());
    finish.learning_rate = LearningRate(config_.job.schedule(), config_.job.stop(),
                                        {record_.version(), record_.samples(), sums.totals.samples},
                                        round_.terms.tunables.learning_rate_scale());
    finish.update_count = record_.version() + 1;
  }
  decided_->decide = {finish.label, finish.divisor, finish.coefficient, finish.update_count};
  decided_->needs_norms = verdict == VerdictKind::kApply && config_.use_norms;
  decided_->finish_enabled = !decided_->needs_norms;
}

void Coordinator::Machine::Commit(VerdictKind verdict, const Sums& sums) {
  ever_decided_ = true;
  record_.set_round(round_.label.round);
  *record_.mutable_scaler() = AfterVerdict(scaler_rules_, record_.scaler(), verdict);
  const bool apply = verdict == VerdictKind::kApply;
  for (const Member& member : round_.view) {
    const Report& report = round_.reports[member.incarnation];
    if (apply || verdict == VerdictKind::kDrop) ledger_.Commit(member.name, report.consumption);
    Seat* seat = seats_.Holder(member.name, member.incarnation);
    if (seat == nullptr) continue;
    seats_.Forgive(member.name);
    if (apply) seat->last_applied = round_.label.round;
  }
  if (!apply) return;
  record_.set_version(record_.version() + 1);
  record_.set_samples(record_.samples() + sums.totals.samples);
  record_.set_last_loss(sums.Loss());
  record_.set_last_learning_rate(decided_->finish.learning_rate);
}

std::vector<Lease> Coordinator::Machine::Consumption() const {
  std::vector<Lease> all;
  for (const Member& member : round_.view) {
    const std::vector<Lease>& part = round_.reports.at(member.incarnation).consumption;
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

void Coordinator::Machine::Count(VerdictKind verdict, const Sums& sums) {
  StepDone step;
  step.label = round_.label;
  step.verdict = verdict;
  step.version = record_.version();
  step.loss = sums.Loss();
  step.learning_rate = decided_->finish.learning_rate;
  step.samples = sums.totals.samples;
  step.total_samples = record_.samples();
  step.gradient_norm = sums.norm;
  step.coefficient = decided_->finish.coefficient;
  step.loss_scale_log2 = round_.terms.loss_scale_log2;
  step.accumulation_steps = round_.terms.tunables.accumulation_steps();
  step.members = static_cast<int32_t>(round_.view.size());
  step.weight = static_cast<int32_t>(WeightOf(round_.view));
  step.flush = round_.terms.flush;
  step.view = round_.view;
  if (verdict == VerdictKind::kDrop) {
    step.dropped = Consumption();
    counts_.dropped_samples += sums.totals.samples;
  }
  effects_.push_back(std::move(step));
  CountVerdict(verdict);
}

void Coordinator::Machine::CountVerdict(VerdictKind verdict) {
  switch (verdict) {
    case VerdictKind::kApply:
      ++counts_.applied;
      return;
    case VerdictKind::kSkip:
      ++counts_.skipped;
      break;
    case VerdictKind::kDrop:
      ++counts_.dropped;
      break;
    case VerdictKind::kVoid:
      ++counts_.voided;
      break;
  }
  const std::string scale = absl::StrCat("loss scale 2^", round_.terms.loss_scale_log2);
  if (verdict == VerdictKind::kDrop) {
    Alarm("drop", "", "the gradient is not finite", scale);
  } else {
    Log(KindOf(verdict), "", "", scale);
  }
}

void Coordinator::Machine::CheckEnd(VerdictKind verdict, const Sums& sums) {
  StopPoint point{record_.version(), record_.samples(), ledger_.Exhausted(), std::nullopt};
  if (verdict == VerdictKind::kApply) point.loss = sums.Loss();
  if (std::optional<std::string> reason = EndReason(config_.job.stop(), point)) {
    record_.set_ended(true);
    record_.set_end_reason(*reason);
    return;
  }
  if (verdict != VerdictKind::kDrop || record_.scaler().drops() < kDropsThatStop) return;
  // A run that is started again gets its three drops anew.
  record_.mutable_scaler()->set_drops(0);
  stop_asked_ = true;
  stop_failed_ = true;
  stop_reason_ = absl::StrCat(kDropsThatStop, " rounds in a row were dropped: no finite gradient");
  Alarm("stop", "", stop_reason_);
}

void Coordinator::Machine::GoOn() {
  if (state_ == State::kWaiting) Boundary();
  if (!ordered_all_ && !exited()) OrderAll();
}

void Coordinator::Machine::FinishNorms() {
  std::vector<std::vector<PartialNorm>> by_shard;
  for (const auto& [shard, norms] : decided_->norms) by_shard.push_back(norms);
  std::vector<int32_t> not_finite;
  decided_->finish.trust_ratios = TrustRatios(by_shard, config_.tensors, &not_finite);
  if (!not_finite.empty()) {
    Alarm("trust_ratio", "", "not finite: 1 is used",
          absl::StrCat("tensors ", absl::StrJoin(not_finite, " ")));
  }
  decided_->finish_enabled = true;
  ordered_all_ = false;
  state_ = State::kWaiting;
  GoOn();
}

}  // namespace tenor

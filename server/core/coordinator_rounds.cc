// Between rounds and inside them: views and directives (docs/protocol.md 2, 3).
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/time.h"
#include "server/core/checkpoint_policy.h"
#include "server/core/coordinator_machine.h"

namespace tenor {

namespace {

std::string Names(const std::vector<Member>& view) {
  return absl::StrJoin(
      view, " ", [](std::string* out, const Member& member) { absl::StrAppend(out, member.name); });
}

}  // namespace

int64_t Coordinator::Machine::MinWeight() const {
  return std::max(1, tunables_.in_force().min_workers());
}

bool Coordinator::Machine::Enough(const std::vector<Member>& members) const {
  return WeightOf(members) >= MinWeight();
}

bool Coordinator::Machine::Regrouped() const {
  return clock_ >= regroup_until_ || Missing().empty();
}

bool Coordinator::Machine::CutIsMade() const {
  return NewestIsCurrent() || (save_ && save_->name().round == record_.round());
}

bool Coordinator::Machine::MayOpen() const {
  if (!shards_.AllInstalled(lineage_) || tunables_.in_force().pause()) return false;
  if (ShardsLeaving() && CutIsMade()) return false;
  return Enough(seats_.Admissible(clock_)) && Regrouped();
}

void Coordinator::Machine::Boundary() {
  const bool may_open = MayOpen();
  const bool stop = stop_asked_ && (stop_failed_ || CutIsMade() || !may_open);
  if (record_.ended() || stop) return BeginEnding();
  if (may_open) return OpenRoundWith(seats_.Admissible(clock_));
  const bool for_long = tunables_.in_force().pause() || !Enough(seats_.Admissible(clock_));
  if (cut_asked_ && for_long) StartCut();
}

void Coordinator::Machine::OpenRoundWith(std::vector<Member> view) {
  round_ = OpenRound();
  round_.label = {lineage_, record_.round() + 1, views_};
  round_.terms = Freeze();
  record_.clear_members();
  for (const Member& member : view) record_.add_members(member.name);
  first_open_at_ = std::min(first_open_at_, clock_);
  regroup_until_ = clock_;
  too_few_since_.reset();
  OpenView(std::move(view));
}

RoundTerms Coordinator::Machine::Freeze() {
  RoundTerms terms;
  terms.version = record_.version();
  terms.tunables = tunables_.FreezeAt(record_.version());
  const CutAnswer answer = AskForCut(terms.tunables);
  if (answer == CutAnswer::kLeftOut) {
    Log("cut_left_out", "", "the save before is still in flight");
  }
  terms.flush = IsCut(answer);
  const spec::Codec::Id asked = terms.tunables.push_codec();
  const bool exact = asked == spec::Codec::FP32;
  terms.push_codec = !terms.flush ? asked : exact ? spec::Codec::FP32 : spec::Codec::FP16;
  terms.rebuild_lanes = cut_version_ == record_.version();
  terms.loss_scale_log2 = record_.scaler().log2();
  terms.skips = record_.scaler().skips();
  return terms;
}

CutAnswer Coordinator::Machine::AskForCut(const spec::Tunables& tunables) const {
  return AskCut({.next = record_.version() + 1,
                 .every = tunables.checkpoint_every(),
                 .saving = save_.has_value(),
                 .asked = cut_asked_ || stop_asked_,
                 .first_due = FirstCheckpointDue()});
}

bool Coordinator::Machine::FirstCheckpointDue() const {
  return !newest_checkpoint_ && clock_ - first_open_at_ >= config_.first_checkpoint_after;
}

void Coordinator::Machine::OpenView(std::vector<Member> view) {
  state_ = State::kCollecting;
  ++counts_.views;
  round_.label.view = ++views_;
  round_.view = std::move(view);
  round_.ForgetView();
  DealLeases();
  const RoundTerms& terms = round_.terms;
  round_.open = {round_.label,
                 terms.version,
                 round_.view,
                 terms.push_codec,
                 terms.tunables.pull_codec(),
                 terms.loss_scale_log2};
  for (const Member& member : round_.view) {
    Seat* seat = seats_.Holder(member.name, member.incarnation);
    if (seat != nullptr) seat->progressed = clock_;
  }
  Log("view", "", absl::StrCat(round_.view.size(), " members"), Names(round_.view));
  OrderAll();
  for (const Member& member : round_.view) SendDirective(member);
}

void Coordinator::Machine::DealLeases() {
  const DealShape shape = DealShapeOf(config_.job, round_.terms.tunables.accumulation_steps());
  ledger_.ReturnOutside(round_.view, shape.lanes);
  const auto outside = [this](const auto& entry) { return round_.Find(entry.first) == nullptr; };
  std::erase_if(round_.leases, outside);
  std::erase_if(round_.hints, outside);
  for (const Member& member : round_.view) {
    if (round_.leases.count(member.incarnation) > 0) continue;
    const std::vector<Lease> leases = ledger_.Deal(member, shape);
    round_.hints[member.incarnation] = ledger_.Hints(leases, shape);
    round_.leases[member.incarnation] = leases;
  }
}

void Coordinator::Machine::ChangeView(const std::string& reason) {
  std::vector<Member> survivors;
  for (const Member& member : round_.view) {
    if (seats_.Holder(member.name, member.incarnation) != nullptr) survivors.push_back(member);
  }
  if (!Enough(survivors)) {
    std::map<std::string, Member> all;
    for (const Member& member : survivors) all.insert({member.name, member});
    for (const Member& member : seats_.Admissible(clock_)) all.insert({member.name, member});
    std::vector<Member> view;
    for (const auto& [name, member] : all) view.push_back(member);
    if (!Enough(view)) return Suspend(std::move(survivors), reason);
    survivors = std::move(view);
  }
  OpenView(std::move(survivors));
}

void Coordinator::Machine::Suspend(std::vector<Member> view, const std::string& reason) {
  round_.view = std::move(view);
  if (cut_asked_) StartCut();
  if (state_ == State::kSuspended) return;
  state_ = State::kSuspended;
  Alarm("suspended", "", reason, absl::StrCat("min_workers ", MinWeight()));
  if (stop_asked_) BeginEnding();
}

void Coordinator::Machine::SendDirective(const Member& member) {
  const Seat* seat = seats_.Holder(member.name, member.incarnation);
  if (seat == nullptr) return;
  const RoundTerms& terms = round_.terms;
  Directive directive;
  directive.label = round_.label;
  directive.incarnation = member.incarnation;
  directive.version = terms.version;
  directive.accumulation_steps = terms.tunables.accumulation_steps();
  directive.push_codec = terms.push_codec;
  directive.pull_codec = terms.tunables.pull_codec();
  directive.flush = terms.flush;
  directive.rebuild_lanes = terms.rebuild_lanes;
  directive.loss_scale_log2 = terms.loss_scale_log2;
  directive.skips = terms.skips;
  directive.leases = round_.leases[member.incarnation];
  directive.hints = round_.hints[member.incarnation];
  directive.shards = shards_.Addresses();
  directive.last_applied_round = seat->last_applied;
  Say(seat->connection, std::move(directive));
}

}  // namespace tenor

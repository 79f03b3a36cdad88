#include "tests/sim/rounds_oracle.h"

#include <algorithm>

#include "absl/strings/str_cat.h"

namespace tenor::sim {

void RoundsOracle::OnClaimed(Lineage lineage, const CheckpointName& base,
                             const spec::Tunables& tunables) {
  history_->bases[lineage] = base;
  changes_[lineage] = {{0, tunables}};
  cut_.insert({lineage, base.version});
}

void RoundsOracle::OnAccepted(Lineage lineage, const spec::Tunables& change, Version from) {
  changes_[lineage].push_back({from, change});
}

spec::Tunables RoundsOracle::InForce(Lineage lineage, Version version) const {
  spec::Tunables tunables;
  auto changes = changes_.find(lineage);
  if (changes == changes_.end()) return tunables;
  for (const Change& change : changes->second) {
    if (change.from <= version) tunables.MergeFrom(change.tunables);
  }
  return tunables;
}

bool RoundsOracle::SeeLabel(const Label& label) {
  Label& newest = newest_[label.lineage];
  if (label == newest) return false;
  if (label < newest)
    return false;  // a repetition for somebody who is late is judged by its content
  if (label.view <= newest.view) {
    history_->Fail("I3", absl::StrCat("label ", ToString(label), " after ", ToString(newest)));
  }
  newest = label;
  if (history_->verdicts.contains({label.lineage, label.round})) {
    history_->Fail("I3", absl::StrCat(ToString(label), " opens a round that has its verdict"));
  }
  return true;
}

const RoundsOracle::FrozenRound& RoundsOracle::SeeRound(const Label& label, const Frozen& frozen) {
  auto [it, first] = rounds_.insert({{label.lineage, label.round}, {}});
  if (first) it->second = {frozen, InForce(label.lineage, frozen.version)};
  if (it->second.frozen != frozen) {
    history_->Fail("I12",
                   absl::StrCat("round ", ToString(label), " is not what was frozen with it"));
  }
  return it->second;
}

bool RoundsOracle::OnOpen(const Open& open) {
  const bool fresh = SeeLabel(open.label);
  SeeRound(open.label, {open.version, open.push_codec, open.pull_codec, open.loss_scale_log2});
  auto [it, inserted] = history_->opened.insert({open.label, open});
  if (!inserted && it->second.view != open.view) {
    history_->Fail("I3", absl::StrCat("label ", ToString(open.label), " names two views"));
  }
  return fresh;
}

bool RoundsOracle::OnDirective(const Directive& directive) {
  const bool fresh = SeeLabel(directive.label);
  CheckTunables(directive,
                SeeRound(directive.label, {directive.version, directive.push_codec,
                                           directive.pull_codec, directive.loss_scale_log2}));
  CheckLanes(directive);
  const RoundName round{directive.label.lineage, directive.label.round};
  auto [it, first] = directives_.insert({{round, directive.incarnation}, directive});
  const Directive& earlier = it->second;
  if (earlier.leases != directive.leases || earlier.skips != directive.skips ||
      earlier.flush != directive.flush || earlier.rebuild_lanes != directive.rebuild_lanes ||
      earlier.accumulation_steps != directive.accumulation_steps) {
    history_->Fail(
        "I12", absl::StrCat("a member was told two things of round ", ToString(directive.label)));
  }
  return fresh;
}

void RoundsOracle::CheckTunables(const Directive& directive, const FrozenRound& round) {
  if (directive.accumulation_steps == round.tunables.accumulation_steps() &&
      directive.push_codec == round.tunables.push_codec() &&
      directive.pull_codec == round.tunables.pull_codec()) {
    return;
  }
  history_->Fail("I12", absl::StrCat("the tunables of round ", ToString(directive.label),
                                     " are not those accepted before it: accumulation ",
                                     directive.accumulation_steps, ", accepted ",
                                     round.tunables.accumulation_steps(), ", push codec ",
                                     static_cast<int>(directive.push_codec), ", accepted ",
                                     static_cast<int>(round.tunables.push_codec())));
}

void RoundsOracle::CheckConsumption(const Report& report) {
  auto directive =
      directives_.find({{report.label.lineage, report.label.round}, report.incarnation});
  const std::vector<Lease> none;
  const std::vector<Lease>& dealt =
      directive == directives_.end() ? none : directive->second.leases;
  for (const Lease& used : report.consumption) {
    const bool fits = std::any_of(dealt.begin(), dealt.end(), [&used](const Lease& lease) {
      return lease.pass == used.pass && lease.segment == used.segment && lease.from == used.from &&
             lease.to >= used.to && lease.lane == used.lane;
    });
    if (fits) continue;
    history_->Fail("I5", absl::StrCat("report of ", report.name, " for ", ToString(report.label),
                                      " names samples that were not dealt"));
  }
}

void RoundsOracle::CheckLanes(const Directive& directive) {
  if (directive.rebuild_lanes || !cut_.contains({directive.label.lineage, directive.version})) {
    return;
  }
  history_->Fail("I6", absl::StrCat("round ", ToString(directive.label), " computes on version ",
                                    directive.version, ", which was cut, with old lanes"));
}

void RoundsOracle::OnFinish(const Finish& finish) {
  if (!finish.save) return;
  cut_.insert({finish.label.lineage, finish.update_count});
  const RoundName round{finish.label.lineage, finish.label.round};
  for (const Member& member : history_->opened[finish.label].view) {
    auto directive = directives_.find({round, member.incarnation});
    if (directive == directives_.end() || directive->second.flush) continue;
    history_->Fail(
        "I6", absl::StrCat("round ", ToString(finish.label), " makes a cut and is not a flush"));
  }
}

void RoundsOracle::OnReport(const Report& report, int computation) {
  CheckConsumption(report);
  history_->reports[report.label][report.incarnation] = {computation, report.finite,
                                                         report.consumption};
}

void RoundsOracle::OnVerdict(const StepDone& done) {
  const RoundName round{done.label.lineage, done.label.round};
  Verdict verdict{done.label, done.verdict, {}};
  if (newest_[done.label.lineage] != done.label) {
    history_->Fail(
        "I12", absl::StrCat("verdict on ", ToString(done.label), " which is not the newest label"));
  }
  if (history_->opened[done.label].view != done.view) {
    history_->Fail("I1", absl::StrCat("verdict and Open of ", ToString(done.label),
                                      " name different members"));
  }
  for (const Member& member : done.view) CheckMember(done, member, &verdict);
  if (!history_->verdicts.insert({round, verdict}).second) {
    history_->Fail("I3", absl::StrCat("two verdicts for round ", ToString(done.label)));
  }
}

void RoundsOracle::CheckMember(const StepDone& done, const Member& member, Verdict* verdict) {
  const auto& reports = history_->reports[done.label];
  auto report = reports.find(member.incarnation);
  if (report == reports.end()) {
    history_->Fail("I12", absl::StrCat("verdict on ", ToString(done.label), " without a report of ",
                                       member.name));
    return;
  }
  verdict->computations.push_back(report->second.computation);
  const Computation& computed = history_->computations[report->second.computation];
  if (done.verdict == VerdictKind::kApply && !computed.finite) {
    history_->Fail("I2", absl::StrCat("verdict apply on ", ToString(done.label),
                                      " with a gradient of ", member.name, " that is not finite"));
  }
}

}  // namespace tenor::sim

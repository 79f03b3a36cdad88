#include "server/core/trace.h"

#include <string>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "proto/spec.pb.h"
#include "server/core/effects.h"
#include "server/core/messages.h"

namespace tenor {

namespace {

std::string Inc(Incarnation incarnation) {
  return absl::StrCat(incarnation.value >> 32, "#", incarnation.value & 0xffffffffu);
}

std::string Name(const CheckpointName& name) {
  return absl::StrCat("g", name.lineage, "/r", name.round, "/v", name.version);
}

std::string Leases(const std::vector<Lease>& leases) {
  return absl::StrJoin(leases, " ", [](std::string* out, const Lease& lease) {
    absl::StrAppend(out, TraceOf(lease));
  });
}

std::string View(const std::vector<Member>& view) {
  return absl::StrJoin(view, " ", [](std::string* out, const Member& member) {
    absl::StrAppend(out, member.name, "(", Inc(member.incarnation), " w", member.weight, ")");
  });
}

absl::string_view Kind(VerdictKind verdict) {
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
  return "?";
}

std::string Codecs(spec::Codec::Id push, spec::Codec::Id pull) {
  return absl::StrCat(spec::Codec::Id_Name(push), "/", spec::Codec::Id_Name(pull));
}

struct Show {
  std::string operator()(const Granted& x) {
    return absl::StrCat("granted g", x.lineage, " ", Inc(x.incarnation), " v", x.version);
  }
  std::string operator()(const Busy& x) { return absl::StrCat("busy, held by ", x.holder); }
  std::string operator()(const Evicted& x) {
    return absl::StrCat("evicted ", Inc(x.incarnation), ": ", x.reason);
  }
  std::string operator()(const HeartbeatAck& x) {
    return absl::StrCat("ack g", x.lineage, " ", Inc(x.incarnation), " v", x.version,
                        x.shards.empty() ? "" : " with shards");
  }
  std::string operator()(const Done& x) {
    return absl::StrCat("done g", x.lineage, x.failed ? " failed: " : ": ", x.reason);
  }
  std::string operator()(const Refused& x) { return absl::StrCat("refused: ", x.sentence); }
  std::string operator()(const Directive& x) {
    return absl::StrCat("directive ", TraceOf(x.label), " ", Inc(x.incarnation), " v", x.version,
                        " steps ", x.accumulation_steps, " ", Codecs(x.push_codec, x.pull_codec),
                        x.flush ? " flush" : "", x.rebuild_lanes ? " rebuild" : "", " scale ",
                        x.loss_scale_log2, " skips ", x.skips, " applied ", x.last_applied_round,
                        " leases ", Leases(x.leases), " hints ", Leases(x.hints));
  }
  std::string operator()(const HelloAck&) { return "hello-ack"; }
  std::string operator()(const Install& x) {
    return absl::StrCat("install g", x.lineage, " base ", Name(x.base), " ",
                        spec::Codec::Id_Name(x.pull_codec));
  }
  std::string operator()(const Open& x) {
    return absl::StrCat("open ", TraceOf(x.label), " v", x.version, " ",
                        Codecs(x.push_codec, x.pull_codec), " scale ", x.loss_scale_log2, " view ",
                        View(x.view));
  }
  std::string operator()(const Decide& x) {
    return absl::StrCat("decide ", TraceOf(x.label), " / ", x.divisor, " * ", x.coefficient,
                        " update ", x.update_count);
  }
  std::string operator()(const Finish& x) {
    return absl::StrCat("finish ", TraceOf(x.label), " ", Kind(x.verdict), " / ", x.divisor, " * ",
                        x.coefficient, " rate ", x.learning_rate, " scale ", x.loss_scale_log2,
                        " update ", x.update_count, x.save ? " save" : "",
                        x.trust_ratios.empty() ? "" : " ratios ",
                        absl::StrJoin(x.trust_ratios, " "));
  }
  std::string operator()(const Cut& x) { return absl::StrCat("cut g", x.lineage, " r", x.round); }

  std::string operator()(const ToWorker& x) { return std::visit(*this, x.message); }
  std::string operator()(const ToShard& x) {
    return absl::StrCat("shard ", x.shard, ": ", std::visit(*this, x.message));
  }
  std::string operator()(const ClaimLineage&) { return "claim lineage"; }
  std::string operator()(const ReadClaim&) { return "read claim"; }
  std::string operator()(const WriteTunables& x) {
    return absl::StrCat("write tunables g", x.lineage, " base ", Name(x.base), " ",
                        x.tunables.ShortDebugString());
  }
  std::string operator()(const WriteManifest& x) {
    return absl::StrCat("write manifest ", Name(x.checkpoint), " ", x.files.size(), " files ",
                        x.record.ended() ? "ended " : "", "samples ", x.record.samples(),
                        " committed ", x.record.ledger().committed_samples());
  }
  std::string operator()(const RenameDamaged& x) {
    return absl::StrCat("rename damaged ", Name(x.checkpoint));
  }
  std::string operator()(const Prune& x) {
    return absl::StrCat("prune keep ", x.keep_checkpoints, " every ", x.keep_every, " base ",
                        Name(x.base), " newest ", Name(x.newest));
  }
  std::string operator()(const Reply& x) {
    return absl::StrCat("reply ", x.request.value, " ", x.status.ToString(), " ", x.sentence);
  }
  std::string operator()(const Note& x) {
    return absl::StrCat(x.alarm ? "ALARM " : "note ", x.kind, " ", TraceOf(x.label), " v", x.step,
                        x.who.empty() ? "" : " ", x.who, x.reason.empty() ? "" : ": ", x.reason,
                        x.detail.empty() ? "" : " | ", x.detail);
  }
  std::string operator()(const StepDone& x) {
    return absl::StrCat("step ", TraceOf(x.label), " ", Kind(x.verdict), " v", x.version, " loss ",
                        x.loss, " rate ", x.learning_rate, " samples ", x.samples, " of ",
                        x.total_samples, " norm ", x.gradient_norm, x.flush ? " flush" : "",
                        x.dropped.empty() ? "" : " dropped ", Leases(x.dropped));
  }
  std::string operator()(const Exit& x) { return absl::StrCat("EXIT ", x.code, ": ", x.sentence); }
};

}  // namespace

std::string TraceOf(const Label& label) {
  return absl::StrCat(label.lineage, ".", label.round, ".", label.view);
}

std::string TraceOf(const Lease& lease) {
  return absl::StrCat(lease.pass, "/", lease.segment, "[", lease.from, ",", lease.to, ")@",
                      lease.lane);
}

std::string TraceOf(const Effect& effect) { return std::visit(Show(), effect); }

}  // namespace tenor

#include "worker/session/describe.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace tenor::session {

namespace {

std::string Text(const Label& label) {
  return absl::StrCat(label.lineage, ".", label.round, ".", label.view);
}
std::string Text(ComputationId id) { return absl::StrCat("%", id.value); }

std::string Text(const Join& m) { return absl::StrCat("join g=", m.lineage); }
std::string Text(const Heartbeat& m) {
  return absl::StrCat("heartbeat #", m.incarnation.value, " ", Text(m.label), " progress ",
                      m.progress, m.computed ? " computed" : "", m.warm ? " warm" : "",
                      m.weight == 1 ? "" : absl::StrCat(" weight ", m.weight));
}
std::string Text(const Report& m) {
  return absl::StrCat("report ", Text(m.label), " samples ", m.samples,
                      m.finite ? "" : " not-finite", " leases ", m.consumption.size());
}
std::string Text(const Retract& m) { return absl::StrCat("retract ", Text(m.label)); }
std::string Text(const Leave& m) { return absl::StrCat("leave #", m.incarnation.value); }

std::string Text(const Hello& m) { return absl::StrCat("hello #", m.incarnation.value); }
std::string Text(const Pull& m) {
  return absl::StrCat("pull g=", m.lineage, " v=", m.version, " ",
                      m.chunks.empty() ? "all" : absl::StrJoin(m.chunks, ","));
}
std::string Text(const Push& m) {
  return absl::StrCat("push ", Text(m.label), " ", m.chunk, m.poison ? " poison" : "", " samples ",
                      m.samples, " bytes ", m.bytes);
}

std::string Line(const ToCoordinator& e) {
  return std::visit([](const auto& m) { return Text(m); }, e.message);
}
std::string Line(const FindCoordinator&) { return "find the coordinator"; }
std::string Line(const ConnectShards& e) {
  return absl::StrCat("connect ", e.shards.size(), " shards");
}
std::string Line(const ToShard& e) {
  const bool push = std::holds_alternative<Push>(e.message);
  return absl::StrCat("s", e.shard, " <- ",
                      std::visit([](const auto& m) { return Text(m); }, e.message),
                      push ? " of " + Text(e.computation) : "");
}
std::string Line(const DecodeChunk& e) {
  return absl::StrCat("decode chunk ", e.chunk.chunk, " b", e.payload.value);
}
std::string Line(const ReleaseBuffer& e) { return absl::StrCat("release b", e.payload.value); }
std::string Line(const StartCompute& e) {
  return absl::StrCat("compute ", Text(e.computation), " ", Text(e.directive.label));
}
std::string Line(const SumAgain& e) {
  return absl::StrCat("sum again ", Text(e.computation), " for ", Text(e.replaced));
}
std::string Line(const CancelCompute& e) { return "cancel " + Text(e.computation); }
std::string Line(const EncodeChunk& e) {
  return absl::StrCat("encode ", Text(e.computation), " ", e.chunk, " ",
                      spec::Codec::Id_Name(e.codec), " samples ", e.samples);
}
std::string Line(const Settle& e) {
  return absl::StrCat("settle ", Text(e.computation), e.applied ? " applied" : " not applied",
                      e.zero_residual ? " zero residual" : "");
}
std::string Line(const DropKept& e) { return "drop " + Text(e.computation); }
std::string Line(const ZeroResidual&) { return "zero residual"; }
std::string Line(const ResetLanes&) { return "reset lanes"; }
std::string Line(const DropWeights&) { return "drop weights"; }
std::string Line(const Exit& e) { return absl::StrCat("exit ", e.code, ": ", e.sentence); }

}  // namespace

std::string Describe(const Effect& effect) {
  return std::visit([](const auto& e) { return Line(e); }, effect);
}

}  // namespace tenor::session

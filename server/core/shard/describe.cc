#include "server/core/shard/describe.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace tenor::shard {

namespace {

std::string Text(const Label& label) {
  return absl::StrCat(label.lineage, ".", label.round, ".", label.view);
}
std::string Text(const CheckpointName& name) {
  return absl::StrCat("g", name.lineage, "-r", name.round, "-v", name.version);
}
std::string Text(ConnectionId id) { return absl::StrCat("c", id.value); }
std::string Text(PayloadId id) { return absl::StrCat("p", id.value); }
std::string Text(OperationId id) { return absl::StrCat("#", id.value); }
std::string Text(BufferId id) { return id == BufferId{} ? "empty" : absl::StrCat("b", id.value); }

const char* Text(ShardPhase phase) {
  switch (phase) {
    case ShardPhase::kEmpty:
      return "empty";
    case ShardPhase::kDraining:
      return "draining";
    case ShardPhase::kLoading:
      return "loading";
    case ShardPhase::kIdle:
      return "idle";
    case ShardPhase::kOpen:
      return "open";
    case ShardPhase::kNorming:
      return "norming";
    case ShardPhase::kNormsDone:
      return "norms-done";
    case ShardPhase::kApplying:
      return "applying";
  }
  return "?";
}

std::string Text(const HelloOk& m) { return absl::StrCat("hello-ok g=", m.lineage); }
std::string Text(const PushAck& m) { return absl::StrCat("ack ", Text(m.label), " ", m.chunk); }
std::string Text(const Stale& m) { return absl::StrCat("stale ", Text(m.label), " ", m.chunk); }
std::string Text(const Retry& m) { return absl::StrCat("retry ", Text(m.label), " ", m.chunk); }
std::string Text(const Chunk& m) {
  return absl::StrCat("chunk ", m.chunk, " g=", m.lineage, " v=", m.version, " ",
                      spec::Codec::Id_Name(m.codec));
}
std::string Text(const Gone& m) { return absl::StrCat("gone g=", m.lineage, " v=", m.version); }
std::string Text(const Refused& m) { return absl::StrCat("refused: ", m.sentence); }

std::string Line(const ToCoordinator& e) {
  return absl::StrCat(Text(e.connection), " <- ", Describe(e.status));
}
std::string Line(const FindCoordinator&) { return "find the coordinator"; }
std::string Line(const ToWorker& e) {
  return absl::StrCat(Text(e.connection), " <- ",
                      std::visit([](const auto& m) { return Text(m); }, e.message));
}
std::string Line(const SendChunk& e) {
  return absl::StrCat(Text(e.connection), " <- ", Text(e.chunk), " ", Text(e.payload));
}
std::string Line(const CancelStream& e) { return absl::StrCat("cancel ", Text(e.connection)); }
std::string Line(const ReleaseBuffer& e) { return absl::StrCat("release ", Text(e.buffer)); }
std::string Line(const StartReduce& e) {
  return absl::StrCat("reduce ", Text(e.operation), " chunk ", e.chunk, " ", Text(e.buffer),
                      " rank ", e.rank, " samples ", e.samples, e.first ? " first" : "",
                      e.last ? " last" : "");
}
std::string Line(const StartNorms& e) {
  return absl::StrCat("norms ", Text(e.operation), " ", Text(e.decide.label));
}
std::string Line(const StartApply& e) {
  return absl::StrCat("apply ", Text(e.operation), " ", Text(e.finish.label));
}
std::string Line(const StartEncode& e) {
  return absl::StrCat("encode ", Text(e.operation), " chunk ", e.chunk, " ", Text(e.payload), " ",
                      spec::Codec::Id_Name(e.codec));
}
std::string Line(const DropPayload& e) { return absl::StrCat("drop ", Text(e.payload)); }
std::string Line(const StartSnapshot& e) {
  return absl::StrCat("snapshot ", Text(e.operation), " ", Text(e.checkpoint));
}
std::string Line(const StartSave& e) {
  return absl::StrCat("save ", Text(e.operation), " ", Text(e.checkpoint));
}
std::string Line(const DeleteFile& e) { return absl::StrCat("delete ", Text(e.checkpoint)); }
std::string Line(const StartLoad& e) {
  return absl::StrCat("load ", Text(e.operation), " ", Text(e.base));
}
std::string Line(const Exit& e) { return absl::StrCat("exit ", e.code, ": ", e.sentence); }

}  // namespace

std::string Describe(const Effect& effect) {
  return std::visit([](const auto& e) { return Line(e); }, effect);
}

std::string Describe(const Status& s) {
  std::string text = absl::StrCat("status ", Text(s.phase), " ", Text(s.open),
                                  " finished=", s.finished, " v=", s.version);
  if (s.nonce != 0) absl::StrAppend(&text, " nonce=", s.nonce);
  if (s.ready) absl::StrAppend(&text, " ready[", absl::StrJoin(s.square_sums, ","), "]");
  if (!s.finite) absl::StrAppend(&text, " not-finite");
  if (!s.norms.empty()) absl::StrAppend(&text, " norms=", s.norms.size());
  if (s.wants_to_leave) absl::StrAppend(&text, " wants-to-leave");
  if (s.saved != CheckpointName{}) {
    absl::StrAppend(&text, " saved=", Text(s.saved), ":", s.saved_file.bytes);
  }
  if (s.failed != CheckpointName{}) {
    absl::StrAppend(&text, " failed=", Text(s.failed), " (", s.save_error, ")");
  }
  if (s.load_error != LoadErrorKind::kNone) {
    absl::StrAppend(&text, s.load_error == LoadErrorKind::kDamaged ? " damaged" : " load-error",
                    " g=", s.load_error_lineage, " (", s.load_error_text, ")");
  }
  if (!s.waits_for.empty()) {
    absl::StrAppend(&text, " waits-for=", absl::StrJoin(s.waits_for, ","));
  }
  if (s.bytes_held != 0) absl::StrAppend(&text, " held=", s.bytes_held);
  return text;
}

}  // namespace tenor::shard

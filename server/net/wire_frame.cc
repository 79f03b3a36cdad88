// Frames between a worker and a shard.
#include <utility>
#include <variant>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "server/net/wire.h"
#include "server/net/wire_fields.h"

namespace tenor {
namespace {

using wire_fields::CheckCodec;
using wire_fields::CheckName;
using wire_fields::CheckNotNegative;

void Fill(const Hello& in, wire::Frame* out) {
  out->set_kind(wire::FrameKind::HELLO);
  out->mutable_label()->set_lineage(in.lineage);
  out->set_name(in.name);
  out->set_incarnation(in.incarnation.value);
  *out->mutable_handshake() = wire_fields::ToWire(in.hashes);
}

void Fill(const Pull& in, wire::Frame* out) {
  out->set_kind(wire::FrameKind::PULL);
  out->mutable_label()->set_lineage(in.lineage);
  out->set_version(in.version);
  out->set_name(in.name);
  for (ChunkNumber chunk : in.chunks) out->add_chunks(chunk);
}

void Fill(const Push& in, wire::Frame* out) {
  out->set_kind(wire::FrameKind::PUSH);
  *out->mutable_label() = wire_fields::ToWire(in.label);
  out->set_name(in.name);
  out->set_incarnation(in.incarnation.value);
  out->set_chunk(in.chunk);
  out->set_codec(in.codec);
  out->set_poison(in.poison);
  out->set_samples(in.samples);
}

void Fill(const HelloOk& in, wire::Frame* out) {
  out->set_kind(wire::FrameKind::HELLO_OK);
  out->mutable_label()->set_lineage(in.lineage);
}

void FillAnswer(wire::FrameKind::Type kind, const Label& label, ChunkNumber chunk,
                wire::Frame* out) {
  out->set_kind(kind);
  *out->mutable_label() = wire_fields::ToWire(label);
  out->set_chunk(chunk);
}

void Fill(const PushAck& in, wire::Frame* out) {
  FillAnswer(wire::FrameKind::PUSH_ACK, in.label, in.chunk, out);
}
void Fill(const Stale& in, wire::Frame* out) {
  FillAnswer(wire::FrameKind::STALE, in.label, in.chunk, out);
}
void Fill(const Retry& in, wire::Frame* out) {
  FillAnswer(wire::FrameKind::RETRY, in.label, in.chunk, out);
}

void Fill(const Chunk& in, wire::Frame* out) {
  out->set_kind(wire::FrameKind::CHUNK);
  out->mutable_label()->set_lineage(in.lineage);
  out->set_version(in.version);
  out->set_chunk(in.chunk);
  out->set_codec(in.codec);
}

void Fill(const Gone& in, wire::Frame* out) {
  out->set_kind(wire::FrameKind::GONE);
  out->mutable_label()->set_lineage(in.lineage);
  out->set_version(in.version);
}

void Fill(const Refused& in, wire::Frame* out) {
  out->set_kind(wire::FrameKind::REFUSED);
  out->set_sentence(in.sentence);
}

absl::Status CheckNoPayload(const wire::Frame& frame, size_t payload_bytes) {
  if (payload_bytes == 0) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("a frame of kind ", frame.kind(), " carries ",
                                                 payload_bytes, " bytes of payload, not 0"));
}

absl::StatusOr<WorkerToShard> TakeHello(const wire::Frame& in) {
  TENOR_RETURN_IF_ERROR(CheckName(in.name()));
  TENOR_RETURN_IF_ERROR(CheckNotNegative("hello.lineage", in.label().lineage()));
  return Hello{in.name(), Incarnation{in.incarnation()}, in.label().lineage(),
               wire_fields::FromWire(in.handshake())};
}

absl::StatusOr<WorkerToShard> TakePull(const wire::Frame& in) {
  TENOR_RETURN_IF_ERROR(CheckName(in.name()));
  TENOR_RETURN_IF_ERROR(CheckNotNegative("pull.lineage", in.label().lineage()));
  TENOR_RETURN_IF_ERROR(CheckNotNegative("pull.version", in.version()));
  Pull pull{in.label().lineage(), in.version(), in.name(), {}};
  pull.chunks.reserve(in.chunks_size());
  for (ChunkNumber chunk : in.chunks()) {
    TENOR_RETURN_IF_ERROR(CheckNotNegative("pull.chunk", chunk));
    pull.chunks.push_back(chunk);
  }
  return pull;
}

absl::StatusOr<WorkerToShard> TakePush(const wire::Frame& in, size_t payload_bytes) {
  TENOR_RETURN_IF_ERROR(CheckName(in.name()));
  TENOR_RETURN_IF_ERROR(CheckNotNegative("push.chunk", in.chunk()));
  TENOR_RETURN_IF_ERROR(CheckNotNegative("push.samples", in.samples()));
  TENOR_RETURN_IF_ERROR(CheckCodec("push.codec", in.codec()));
  if (in.poison() || in.samples() == 0) TENOR_RETURN_IF_ERROR(CheckNoPayload(in, payload_bytes));
  Push push;
  TENOR_ASSIGN_OR_RETURN(push.label, wire_fields::FromWire(in.label()));
  push.name = in.name();
  push.incarnation.value = in.incarnation();
  push.chunk = in.chunk();
  push.codec = in.codec();
  push.poison = in.poison();
  push.samples = in.samples();
  push.bytes = static_cast<int64_t>(payload_bytes);
  return push;
}

template <typename Answer>
absl::StatusOr<ShardToWorker> TakeAnswer(const wire::Frame& in) {
  TENOR_RETURN_IF_ERROR(CheckNotNegative("answer.chunk", in.chunk()));
  Answer answer;
  TENOR_ASSIGN_OR_RETURN(answer.label, wire_fields::FromWire(in.label()));
  answer.chunk = in.chunk();
  return answer;
}

absl::StatusOr<ShardToWorker> TakeChunk(const wire::Frame& in) {
  TENOR_RETURN_IF_ERROR(CheckNotNegative("chunk.chunk", in.chunk()));
  TENOR_RETURN_IF_ERROR(CheckNotNegative("chunk.version", in.version()));
  TENOR_RETURN_IF_ERROR(CheckCodec("chunk.codec", in.codec()));
  return Chunk{in.label().lineage(), in.version(), in.chunk(), in.codec()};
}

absl::Status UnknownKind(const wire::Frame& frame) {
  return absl::InvalidArgumentError(
      absl::StrCat("frame.kind is no kind known here: ", static_cast<int>(frame.kind())));
}

}  // namespace

wire::Frame ToWire(const WorkerToShard& message) {
  wire::Frame out;
  std::visit([&out](const auto& one) { Fill(one, &out); }, message);
  return out;
}

wire::Frame ToWire(const ShardToWorker& message) {
  wire::Frame out;
  std::visit([&out](const auto& one) { Fill(one, &out); }, message);
  return out;
}

absl::StatusOr<WorkerToShard> WorkerFrameFromWire(const wire::Frame& frame, size_t payload_bytes) {
  if (frame.kind() == wire::FrameKind::PUSH) return TakePush(frame, payload_bytes);
  TENOR_RETURN_IF_ERROR(CheckNoPayload(frame, payload_bytes));
  if (frame.kind() == wire::FrameKind::HELLO) return TakeHello(frame);
  if (frame.kind() == wire::FrameKind::PULL) return TakePull(frame);
  return UnknownKind(frame);
}

absl::StatusOr<ShardToWorker> ShardFrameFromWire(const wire::Frame& frame, size_t payload_bytes) {
  if (frame.kind() == wire::FrameKind::CHUNK) return TakeChunk(frame);
  TENOR_RETURN_IF_ERROR(CheckNoPayload(frame, payload_bytes));
  switch (frame.kind()) {
    case wire::FrameKind::HELLO_OK:
      return HelloOk{frame.label().lineage()};
    case wire::FrameKind::PUSH_ACK:
      return TakeAnswer<PushAck>(frame);
    case wire::FrameKind::STALE:
      return TakeAnswer<Stale>(frame);
    case wire::FrameKind::RETRY:
      return TakeAnswer<Retry>(frame);
    case wire::FrameKind::GONE:
      return Gone{frame.label().lineage(), frame.version()};
    case wire::FrameKind::REFUSED:
      return Refused{frame.sentence()};
    default:
      return UnknownKind(frame);
  }
}

}  // namespace tenor

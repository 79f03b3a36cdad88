// Messages between processes (docs/protocol.md 9.1) as plain structs. Core and session speak only
// these; server/net/wire.cc and worker/net convert from and to proto/wire.proto. Every message
// carries the lineage, alone or inside its label.
#ifndef TENOR_SERVER_CORE_MESSAGES_H_
#define TENOR_SERVER_CORE_MESSAGES_H_

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "proto/spec.pb.h"
#include "server/core/names.h"

namespace tenor {

// Samples [from, to) of one segment of one pass, read by one lane of a member.
struct Lease {
  int64_t pass = 0;
  int64_t segment = 0;
  int64_t from = 0;
  int64_t to = 0;
  int32_t lane = 0;
  auto operator<=>(const Lease&) const = default;
};

struct ShardAddress {
  std::string address;  // host:port
  ProcessId process;
  bool operator==(const ShardAddress&) const = default;
};

// Hashes that each side computed itself from what it holds.
struct Hashes {
  int32_t protocol = 0;
  uint64_t job = 0;
  uint64_t layout = 0;
  std::string data;  // digest of the data set; workers only
  bool operator==(const Hashes&) const = default;
};

// One member of a view. Rank = position in the view = order of names.
struct Member {
  std::string name;
  Incarnation incarnation;
  int32_t weight = 1;
  bool operator==(const Member&) const = default;
};

// ---------------------------------------------------------------- worker -> coordinator

struct Join {
  std::string name;
  ProcessId process;
  Lineage lineage = 0;  // largest heard
  int32_t weight = 1;
  Hashes hashes;
  std::vector<spec::Compute::Type> compute;
  std::string processor;
};
struct Heartbeat {
  std::string name;
  Incarnation incarnation;
  Lineage lineage = 0;  // largest heard
  Label label;          // held
  int64_t progress = 0;
  bool computed = false;  // the gradient of label.round is whole
  bool warm = false;
  int32_t weight = 1;
  double compute_seconds = 0;  // totals since the process started, for metrics only
  double wait_seconds = 0;
};
struct Report {
  Label label;
  std::string name;
  Incarnation incarnation;
  int64_t samples = 0;
  double loss_sum = 0;  // nats over the samples
  bool finite = true;
  std::vector<Lease> consumption;
};
struct Retract {
  Label label;
  std::string name;
  Incarnation incarnation;
};
struct Leave {
  std::string name;
  Incarnation incarnation;
  Lineage lineage = 0;
};
using WorkerMessage = std::variant<Join, Heartbeat, Report, Retract, Leave>;

// ---------------------------------------------------------------- coordinator -> worker

struct Granted {
  Lineage lineage = 0;
  Incarnation incarnation;
  Version version = 0;
  std::vector<ShardAddress> shards;  // index = shard
};
struct Busy {  // also coordinator -> shard
  Lineage lineage = 0;
  std::string holder;
};
struct Evicted {
  Lineage lineage = 0;
  Incarnation incarnation;
  std::string reason;
};
struct HeartbeatAck {
  Lineage lineage = 0;
  Incarnation incarnation;
  Version version = 0;               // newest applied
  std::vector<ShardAddress> shards;  // filled while the member is not warm
};
struct Done {  // also coordinator -> shard
  Lineage lineage = 0;
  std::string reason;
  bool failed = false;  // exit 1
};
struct Refused {  // also coordinator -> shard
  std::string sentence;
};
// What a member is told of one round; all but the label is frozen with the round.
struct Directive {
  Label label;
  Incarnation incarnation;
  Version version = 0;
  int32_t accumulation_steps = 1;
  spec::Codec::Id push_codec = spec::Codec::FP32;
  spec::Codec::Id pull_codec = spec::Codec::FP32;  // of the version that this round produces
  bool flush = false;
  bool rebuild_lanes =
      false;  // the version to compute on was cut: (h, c) come from a warm-up replay
  int32_t loss_scale_log2 = 0;
  int64_t skips = 0;  // at this version
  std::vector<Lease> leases;
  std::vector<Lease> hints;
  std::vector<ShardAddress> shards;
  Round last_applied_round =
      0;  // newest one with this member's contribution; 0 = none in this lineage
};
using CoordinatorToWorker =
    std::variant<Granted, Busy, Evicted, HeartbeatAck, Done, Refused, Directive>;

// ---------------------------------------------------------------- shard <-> coordinator

enum class ShardPhase {
  kEmpty,
  kDraining,
  kLoading,
  kIdle,
  kOpen,
  kNorming,
  kNormsDone,
  kApplying
};
enum class LoadErrorKind { kNone, kDamaged, kOther };

struct SavedFile {
  std::string name;
  int64_t bytes = 0;
  uint32_t crc32c = 0;
  bool operator==(const SavedFile&) const = default;
};

// Norms of one tensor's piece on one shard, for the second phase of LAMB.
struct PartialNorm {
  int32_t tensor = 0;
  double weight_square = 0;
  double update_square = 0;
  ChunkNumber chunk = 0;  // global; the coordinator adds in this order
};

// The one kind of message that a shard sends: all of its state that the coordinator acts on.
struct Status {
  ProcessId process;
  int32_t shard = 0;
  uint64_t nonce = 0;  // returned; 0 = none
  Lineage lineage = 0;
  ShardPhase phase = ShardPhase::kEmpty;
  Label open;
  bool ready = false;
  bool finite = true;
  Hashes hashes;
  int32_t shards = 0;  // K as this server was told
  bool wants_to_leave = false;
  std::vector<double> square_sums;  // per own chunk, in chunk order; while ready
  std::vector<PartialNorm> norms;   // in (chunk, tensor) order; while phase is kNormsDone
  Round finished = -1;
  Version version = 0;
  CheckpointName saved;  // newest durable save of this lineage
  SavedFile saved_file;
  CheckpointName failed;  // newest failed save of this lineage
  std::string save_error;
  Lineage load_error_lineage = 0;
  LoadErrorKind load_error = LoadErrorKind::kNone;
  std::string load_error_text;
  std::vector<std::string> waits_for;  // members whose rank could be summed now
  int64_t bytes_held = 0;
  std::string address;    // advertised
  std::string run_nonce;  // read in the run folder
};

struct HelloAck {
  Lineage lineage = 0;
  uint64_t nonce = 0;
};
struct Install {
  Lineage lineage = 0;
  CheckpointName base;  // all zero = version 0
  spec::Codec::Id pull_codec = spec::Codec::FP32;
};
struct Open {
  Label label;
  Version version = 0;
  std::vector<Member> view;  // rank order
  spec::Codec::Id push_codec = spec::Codec::FP32;
  spec::Codec::Id pull_codec = spec::Codec::FP32;
  int32_t loss_scale_log2 = 0;
};
struct Decide {
  Label label;
  double divisor = 1;      // samples of the round
  double coefficient = 1;  // of clipping
  int64_t update_count = 1;
};
enum class VerdictKind { kApply, kSkip, kDrop, kVoid };
struct Finish {
  Label label;
  VerdictKind verdict = VerdictKind::kVoid;
  double divisor = 1;
  double coefficient = 1;
  int32_t loss_scale_log2 = 0;
  double learning_rate = 0;
  int64_t update_count = 0;
  std::vector<double> trust_ratios;
  bool save = false;
};
struct Cut {
  Lineage lineage = 0;
  Round round = 0;
};
using CoordinatorToShard =
    std::variant<HelloAck, Busy, Install, Open, Decide, Finish, Cut, Done, Refused>;

// ---------------------------------------------------------------- worker <-> shard

struct Hello {
  std::string name;
  Incarnation incarnation;
  Lineage lineage = 0;
  Hashes hashes;
};
struct Pull {
  Lineage lineage = 0;
  Version version = 0;
  std::string name;
  std::vector<ChunkNumber> chunks;  // empty = all of the shard
};
struct Push {
  Label label;
  std::string name;
  Incarnation incarnation;
  ChunkNumber chunk = 0;
  spec::Codec::Id codec = spec::Codec::FP32;
  bool poison = false;
  int64_t samples = 0;
  int64_t bytes = 0;  // of the payload, which travels beside the message
};
using WorkerToShard = std::variant<Hello, Pull, Push>;

struct HelloOk {
  Lineage lineage = 0;
};
struct PushAck {
  Label label;
  ChunkNumber chunk = 0;
};
struct Stale {
  Label label;
  ChunkNumber chunk = 0;
};
struct Retry {
  Label label;
  ChunkNumber chunk = 0;
};
struct Chunk {  // the payload travels beside the message
  Lineage lineage = 0;
  Version version = 0;
  ChunkNumber chunk = 0;
  spec::Codec::Id codec = spec::Codec::FP32;
};
struct Gone {
  Lineage lineage = 0;
  Version version = 0;
};
using ShardToWorker = std::variant<HelloOk, PushAck, Stale, Retry, Chunk, Gone, Refused>;

}  // namespace tenor

#endif  // TENOR_SERVER_CORE_MESSAGES_H_

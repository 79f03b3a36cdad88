// Scripted scenarios of the session, a file for each group of rules of docs/protocol.md.
#include "tests/scenario/scenario.h"

#include <memory>

#include "absl/strings/str_split.h"
#include "base/check.h"
#include "worker/session/describe.h"
#include "worker/session/session.h"

namespace tenor::session {
namespace {

using scenario::Command;

Label LabelOf(const std::string& text) {
  const std::vector<std::string> parts = absl::StrSplit(text, '.');
  CHECK_EQ(parts.size(), 3u) << text;
  return Label{std::stoll(parts[0]), std::stoll(parts[1]), std::stoll(parts[2])};
}

class SessionDriver {
 public:
  std::vector<std::string> Do(const Command& c) {
    if (c.verb() == "session") return Begin(c);
    if (c.Has("ms")) now_ += absl::Milliseconds(c.Number("ms"));
    std::vector<std::string> lines;
    for (const Effect& effect : session_->Handle(now_, EventOf(c))) {
      lines.push_back(Describe(effect));
    }
    return lines;
  }

 private:
  std::vector<std::string> Begin(const Command& c) {
    Config config;
    config.name = "w0";
    config.process = ProcessId{77};
    config.chunks = static_cast<ChunkNumber>(c.Number("chunks", 2));
    config.weight = static_cast<int32_t>(c.Number("weight", 1));
    shards_ = c.Number("K", 1);
    session_ = std::make_unique<Session>(config);
    return {};
  }

  Event EventOf(const Command& c) const {
    const std::string& verb = c.verb();
    const ConnectionId connection{static_cast<uint64_t>(c.Number("c", 1))};
    const int32_t shard = static_cast<int32_t>(c.Number("s"));
    if (verb == "connect") return CoordinatorConnected{connection};
    if (verb == "lose") return CoordinatorLost{connection};
    if (verb == "shard-up") return ShardConnected{shard};
    if (verb == "shard-down") return ShardLost{shard};
    if (verb == "tick") return Tick{};
    if (verb == "progress") return ProgressMade{};
    if (verb == "sigterm") return LeaveRequested{};
    if (verb == "local-loss") return LocalLoss{static_cast<int32_t>(c.Number("weight", 1))};
    if (c.Has("of")) return Computed(c);
    if (c.Has("s")) return Shards(c, shard);
    if (verb == "decoded") {
      return ChunkDecoded{c.Number("g", 1), c.Number("v"), ChunkOf(c), !c.Has("bad")};
    }
    return FromCoordinator{connection, Coordinator(c)};
  }

  static ChunkNumber ChunkOf(const Command& c) {
    return static_cast<ChunkNumber>(c.Number("chunk"));
  }

  static Event Computed(const Command& c) {
    const ComputationId id{static_cast<uint64_t>(c.Number("of"))};
    if (c.verb() == "whole") {
      return GradientChunkReady{id, ChunkOf(c), c.Number("samples", 4), !c.Has("infinite")};
    }
    if (c.verb() == "encoded") return Encoded{id, ChunkOf(c), !c.Has("infinite"), 100};
    CHECK_EQ(c.verb(), "computed");
    return ComputeDone{id, c.Number("samples", 4), 1.5, !c.Has("infinite"), {Lease{}}};
  }

  static Event Shards(const Command& c, int32_t shard) {
    const Lineage g = c.Number("g", 1);
    if (c.verb() == "chunk") {
      const Chunk chunk{g, c.Number("v"), ChunkOf(c)};
      return ChunkArrived{shard, chunk, BufferId{static_cast<uint64_t>(c.Number("b"))}};
    }
    if (c.verb() == "hello-ok") return FromShard{shard, HelloOk{g}};
    if (c.verb() == "gone") return FromShard{shard, Gone{g, c.Number("v")}};
    if (c.verb() == "refused") return FromShard{shard, Refused{"other layout"}};
    const Label label = LabelOf(c.Text("label"));
    if (c.verb() == "ack") return FromShard{shard, PushAck{label, ChunkOf(c)}};
    if (c.verb() == "stale") return FromShard{shard, Stale{label, ChunkOf(c)}};
    CHECK_EQ(c.verb(), "retry");
    return FromShard{shard, Retry{label, ChunkOf(c)}};
  }

  CoordinatorToWorker Coordinator(const Command& c) const {
    const Lineage g = c.Number("g", 1);
    const Incarnation inc{static_cast<uint64_t>(c.Number("inc", 1))};
    if (c.verb() == "granted") return Granted{g, inc, c.Number("v"), Table()};
    if (c.verb() == "busy") return Busy{g, "10.0.0.7:5"};
    if (c.verb() == "evicted") return Evicted{g, inc, "deadline"};
    if (c.verb() == "heartbeat-ack") return HeartbeatAck{g, inc, c.Number("v"), Table()};
    if (c.verb() == "done") return Done{g, "ended", c.Has("failed")};
    if (c.verb() == "refused") return Refused{"other data"};
    CHECK_EQ(c.verb(), "directive");
    Directive directive;
    directive.label = LabelOf(c.Text("label"));
    directive.incarnation = inc;
    directive.version = c.Number("v");
    directive.flush = c.Has("flush");
    directive.push_codec = spec::Codec::FP16;
    directive.last_applied_round = c.Number("last");
    if (!c.Has("idle")) directive.leases = {Lease{0, 1, 0, 4, 0}};
    directive.shards = Table();
    return directive;
  }

  std::vector<ShardAddress> Table() const {
    std::vector<ShardAddress> table;
    for (int64_t k = 0; k < shards_; ++k) {
      table.push_back({"node", ProcessId{static_cast<uint64_t>(k) + 1}});
    }
    return table;
  }

  absl::Duration now_;
  int64_t shards_ = 1;
  std::unique_ptr<Session> session_;
};

}  // namespace
}  // namespace tenor::session

int main(int argc, char** argv) {
  return tenor::scenario::Main(argc, argv, "worker/session/testdata", [] {
    auto driver = std::make_shared<tenor::session::SessionDriver>();
    return [driver](const tenor::scenario::Command& c) { return driver->Do(c); };
  });
}

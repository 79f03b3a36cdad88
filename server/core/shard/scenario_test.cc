// Scripted scenarios of the shard, a file for each group of rules of docs/protocol.md.
#include "tests/scenario/scenario.h"

#include <memory>

#include "absl/strings/str_split.h"
#include "base/check.h"
#include "server/core/shard/describe.h"
#include "server/core/shard/shard.h"

namespace tenor::shard {
namespace {

using scenario::Command;

// Member `name` has incarnation `name`'s number after '#': w0#1.
Member MemberOf(const std::string& text) {
  const std::vector<std::string> parts = absl::StrSplit(text, '#');
  return Member{parts[0], Incarnation{parts.size() > 1 ? std::stoull(parts[1]) : 1}, 1};
}

Label LabelOf(const std::string& text) {
  const std::vector<std::string> parts = absl::StrSplit(text, '.');
  CHECK_EQ(parts.size(), 3u) << text;
  return Label{std::stoll(parts[0]), std::stoll(parts[1]), std::stoll(parts[2])};
}

std::vector<ChunkNumber> Chunks(const Command& c) {
  std::vector<ChunkNumber> chunks;
  for (const std::string& chunk : c.List("chunks")) chunks.push_back(std::stoi(chunk));
  return chunks;
}

OperationId Operation(const Command& c) {
  return OperationId{static_cast<uint64_t>(c.Number("op"))};
}

ConnectionId Connection(const Command& c, int64_t otherwise) {
  return ConnectionId{static_cast<uint64_t>(c.Number("c", otherwise))};
}

class ShardDriver {
 public:
  std::vector<std::string> Do(const Command& c) {
    if (c.verb() == "shard") return Begin(c);
    if (c.Has("ms")) now_ += absl::Milliseconds(c.Number("ms"));
    std::vector<std::string> lines;
    for (const Effect& effect : shard_->Handle(now_, EventOf(c))) {
      lines.push_back(Describe(effect));
    }
    return lines;
  }

 private:
  std::vector<std::string> Begin(const Command& c) {
    Config config;
    config.shard = static_cast<int32_t>(c.Number("k"));
    config.shards = static_cast<int32_t>(c.Number("K", 1));
    config.chunks = static_cast<ChunkNumber>(c.Number("chunks", 1));
    config.two_phase = c.Has("lamb");
    config.credit_bytes = c.Number("credit", 1000);
    config.pull_window = static_cast<int32_t>(c.Number("window", 8));
    config.hashes = Hashes{1, 10, 20, ""};
    shard_ = std::make_unique<Shard>(config);
    return {};
  }

  static Event EventOf(const Command& c) {
    if (c.verb() == "connect") return CoordinatorConnected{Connection(c, 1)};
    if (c.verb() == "lose") return CoordinatorLost{Connection(c, 1)};
    if (c.verb() == "tick") return Tick{};
    if (c.verb() == "sigterm") return WantsToLeave{};
    if (c.verb() == "closed") return StreamClosed{Connection(c, 10)};
    if (c.verb() == "sent") {
      return SendDone{Connection(c, 10), PayloadId{static_cast<uint64_t>(c.Number("p"))}};
    }
    if (c.verb() == "hello" || c.verb() == "pull" || c.verb() == "push") return FromWorker(c);
    if (c.Has("op")) return Completion(c);
    return OrderFrom{Connection(c, 1), Order(c)};
  }

  static Event FromWorker(const Command& c) {
    const Member member = MemberOf(c.Text("from", "w0"));
    const ConnectionId connection = Connection(c, 10);
    if (c.verb() == "hello") {
      const Hashes hashes{1, static_cast<uint64_t>(c.Number("job", 10)), 20, "any"};
      return HelloArrived{connection, Hello{member.name, member.incarnation, 0, hashes}};
    }
    if (c.verb() == "pull") {
      return PullArrived{connection, Pull{c.Number("g", 1), c.Number("v"), member.name, Chunks(c)}};
    }
    Push push{LabelOf(c.Text("label")), member.name, member.incarnation};
    push.chunk = static_cast<ChunkNumber>(c.Number("chunk"));
    push.codec = c.Has("fp16") ? spec::Codec::FP16 : spec::Codec::FP32;
    push.poison = c.Has("poison");
    push.bytes = c.Number("bytes", c.Has("b") ? 100 : 0);
    push.samples = c.Number("samples", c.Has("b") ? 4 : 0);
    return PushArrived{connection, push, BufferId{static_cast<uint64_t>(c.Number("b"))}};
  }

  static Event Completion(const Command& c) {
    const OperationId op = Operation(c);
    if (c.verb() == "reduced") {
      return ReduceDone{op, !c.Has("infinite"), static_cast<double>(c.Number("squares"))};
    }
    if (c.verb() == "normed") return NormsDone{op, {PartialNorm{0, 1, 2}}};
    if (c.verb() == "applied") return ApplyDone{op};
    if (c.verb() == "encoded") return EncodeDone{op};
    if (c.verb() == "snapshot-done") return SnapshotDone{op, c.Text("error")};
    if (c.verb() == "saved") return SaveDone{op, SavedFile{"file", c.Number("bytes", 7), 1}};
    if (c.verb() == "save-failed") return SaveFailed{op, c.Text("error", "disk-full")};
    if (c.verb() == "loaded") return LoadDone{op};
    CHECK_EQ(c.verb(), "load-failed");
    const bool damaged = c.Has("damaged");
    return LoadFailed{op, damaged ? LoadErrorKind::kDamaged : LoadErrorKind::kOther, "why"};
  }

  static CoordinatorToShard Order(const Command& c) {
    if (c.verb() == "hello-ack") {
      return HelloAck{c.Number("g"), static_cast<uint64_t>(c.Number("nonce"))};
    }
    if (c.verb() == "busy") return Busy{c.Number("g", 1), "node1:7400"};
    if (c.verb() == "done") return Done{c.Number("g", 1), "ended", c.Has("failed")};
    if (c.verb() == "refused") return Refused{"run nonce differs"};
    if (c.verb() == "install") {
      const CheckpointName base{c.Number("bg"), c.Number("br"), c.Number("bv")};
      return Install{c.Number("g", 1), base, spec::Codec::FP16};
    }
    if (c.verb() == "cut") return Cut{c.Number("g", 1), c.Number("r")};
    const Label label = LabelOf(c.Text("label"));
    if (c.verb() == "open") return OpenOf(c, label);
    if (c.verb() == "decide") return Decide{label, 8, 1, 1};
    CHECK_EQ(c.verb(), "finish");
    Finish finish{label, c.Has("skip") ? VerdictKind::kSkip : VerdictKind::kApply};
    finish.save = c.Has("save");
    return finish;
  }

  static Open OpenOf(const Command& c, const Label& label) {
    Open open{label, c.Number("v")};
    for (const std::string& member : c.List("view")) open.view.push_back(MemberOf(member));
    open.pull_codec = spec::Codec::FP32;
    return open;
  }

  absl::Duration now_;
  std::unique_ptr<Shard> shard_;
};

}  // namespace
}  // namespace tenor::shard

int main(int argc, char** argv) {
  return tenor::scenario::Main(argc, argv, "server/core/shard/testdata", [] {
    auto driver = std::make_shared<tenor::shard::ShardDriver>();
    return [driver](const tenor::scenario::Command& c) { return driver->Do(c); };
  });
}

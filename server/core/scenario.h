#ifndef TENOR_SERVER_CORE_SCENARIO_H_
#define TENOR_SERVER_CORE_SCENARIO_H_

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "server/core/coordinator.h"

// Scripted scenarios of the coordinator. A script is a sequence of blocks: lines of commands, a
// line
// "----", the full trace of their effects, a blank line. "#" begins a comment. The commands stand
// in testdata/README.md. Single-threaded.

namespace tenor {

class Scenario {
 public:
  Scenario();
  ~Scenario();

  // The trace of one command, lines ended by '\n'. A command that cannot be read yields "error:
  // ...".
  std::string Run(const std::string& command);

 private:
  struct Shard {
    Status status;
    ConnectionId connection;
    bool present = false;
  };
  struct Worker {
    ConnectionId connection;
    ProcessId process;
    Incarnation incarnation;
    Directive directive;
    Lineage lineage = 0;
    int64_t progress = 0;
    int32_t weight = 1;
  };
  using Words = std::vector<std::string>;

  void Configure(const Words& words);
  void StartAll(const Words& words);
  void Send(const Event& event);
  void Take(const std::vector<Effect>& effects);
  void Note(const Effect& effect);
  void Say(const ShardSays& event) { Send(event); }

  void OnTick(const Words& words);
  void OnShard(const Words& words);
  void OnShards(const Words& words);
  void OnWorker(const Words& words);
  void OnClaimed(const Words& words);
  void OnSet(const Words& words);
  void OnDone(const Words& words);
  void Describe();
  void NewShard(int32_t shard);
  void Change(Shard* shard, const std::string& word);
  void SayStatus(int32_t shard);
  void Join(const std::string& name);
  void Beat(const std::string& name, const Words& words);
  void Report(const std::string& name, const Words& words);

  CoordinatorConfig config_;
  std::unique_ptr<Coordinator> coordinator_;
  absl::Duration now_;
  std::vector<Shard> shards_;
  std::map<std::string, Worker> workers_;
  std::map<std::string, OperationId> operations_;  // newest of each kind
  std::vector<OperationId> reads_;                 // not answered yet, oldest first
  spec::Record saved_record_;
  uint64_t connections_ = 0;
  uint64_t processes_ = 100;
  bool quiet_ = false;
  std::string trace_;
};

// Runs all blocks of a script and returns it with the traces that came out.
std::string RunScript(absl::string_view script);

}  // namespace tenor

#endif  // TENOR_SERVER_CORE_SCENARIO_H_

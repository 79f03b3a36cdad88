#ifndef TENOR_TESTS_SIM_SERVER_PROCESS_H_
#define TENOR_TESTS_SIM_SERVER_PROCESS_H_

#include <memory>

#include "tests/sim/coordinator_runner.h"
#include "tests/sim/process.h"
#include "tests/sim/shard_runner.h"

namespace tenor::sim {

// One server: a shard, in server 0 the coordinator too.
class ServerProcess : public Process {
 public:
  ServerProcess(World* world, int index, ProcessNumber number);

  void Start() override;
  void Tick() override;
  std::string Describe() const override;
  void ClientStreamLost(StreamNumber stream) override;
  void ServerStreamLost(StreamNumber stream) override;

  ShardRunner& shard() { return shard_; }
  // nullptr but in server 0.
  CoordinatorRunner* coordinator() { return coordinator_.get(); }

 private:
  World* const world_;
  ShardRunner shard_;
  std::unique_ptr<CoordinatorRunner> coordinator_;
};

}  // namespace tenor::sim

#endif  // TENOR_TESTS_SIM_SERVER_PROCESS_H_

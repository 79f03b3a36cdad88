#include "tests/cluster/cluster.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/memory_file_system.h"
#include "base/path.h"
#include "gtest/gtest.h"
#include "model/checkpoint/safetensors.h"
#include "server/runner/checkpoint_store.h"

namespace tenor {
namespace {

struct Finished {
  int exit_code = -1;
  std::vector<int> worker_codes;
};

// With all workers from the first step to the last.
Finished RunToEnd(spec::JobSpec job, int shards, int workers, FileSystem& files) {
  job.mutable_tunables()->set_min_workers(workers);
  const RealClock clock;
  ServerSet servers(job, shards, files, clock);
  std::vector<std::unique_ptr<WorkerThread>> threads;
  for (int w = 0; w < workers; ++w) {
    threads.push_back(
        std::make_unique<WorkerThread>(job, "w" + std::to_string(w), servers.services(), clock));
  }
  Finished finished;
  for (std::unique_ptr<WorkerThread>& thread : threads) {
    finished.worker_codes.push_back(thread->Join());
  }
  finished.exit_code = servers.WaitForEnd();
  return finished;
}

// Masters and moments of the newest checkpoint, by tensor name, whoever wrote them.
std::map<std::string, std::vector<float>> NewestTensors(FileSystem& files) {
  std::map<std::string, std::vector<float>> tensors;
  absl::StatusOr<std::vector<std::string>> names = files.List("/run/ckpt");
  if (!names.ok() || names->empty()) return tensors;
  const std::string folder = JoinPath("/run/ckpt", names->back());
  const std::vector<std::string> contents = *files.List(folder);
  for (const std::string& file : contents) {
    if (file.find(".safetensors") == std::string::npos) continue;
    absl::StatusOr<SafetensorsReader> reader =
        SafetensorsReader::Open(files, JoinPath(folder, file));
    if (!reader.ok()) continue;
    for (const auto& entry : reader->tensors()) {
      std::vector<float> values((entry.end - entry.begin) / sizeof(float));
      if (reader->ReadFloats(entry, 0, values).ok()) tensors[entry.name] = std::move(values);
    }
  }
  return tensors;
}

TEST(ClusterTest, ARunComesToItsEnd) {
  MemoryFileSystem files;
  const Finished finished = RunToEnd(ClusterJob(12, spec::Codec::FP16), 2, 2, files);
  EXPECT_EQ(finished.exit_code, 0);
  EXPECT_EQ(finished.worker_codes, (std::vector<int>{0, 0}));
  EXPECT_FALSE(NewestTensors(files).empty());
}

TEST(ClusterTest, TheNumberOfServersChangesNoBit) {
  std::map<std::string, std::vector<float>> expected;
  for (const int shards : {1, 2, 3, 4, 8}) {
    MemoryFileSystem files;
    EXPECT_EQ(RunToEnd(ClusterJob(6, spec::Codec::FP32), shards, 2, files).exit_code, 0);
    const auto tensors = NewestTensors(files);
    ASSERT_FALSE(tensors.empty());
    if (shards == 1) expected = tensors;
    EXPECT_TRUE(tensors == expected) << shards << " servers";
  }
}

TEST(ClusterTest, AWorkerLeavesAndAnotherGoesOn) {
  MemoryFileSystem files;
  const RealClock clock;
  const spec::JobSpec job = ClusterJob(40, spec::Codec::FP16);
  ServerSet servers(job, 3, files, clock);
  WorkerThread stays(job, "stays", servers.services(), clock);
  WorkerThread leaves(job, "leaves", servers.services(), clock);
  servers.WaitForSteps(5);
  leaves.Leave();
  EXPECT_EQ(leaves.Join(), 0);
  EXPECT_EQ(stays.Join(), 0);
  EXPECT_EQ(servers.WaitForEnd(), 0);
}

TEST(ClusterTest, ARunThatWasStoppedGoesOnWithOtherServers) {
  MemoryFileSystem files;
  const RealClock clock;
  spec::JobSpec job = ClusterJob(30, spec::Codec::FP32);
  job.mutable_tunables()->set_min_workers(3);
  {
    ServerSet servers(job, 2, files, clock);
    WorkerThread a(job, "a", servers.services(), clock);
    WorkerThread b(job, "b", servers.services(), clock);
    WorkerThread c(job, "c", servers.services(), clock);
    servers.WaitForSteps(7);
    servers.coordinator().StopRun("test", nullptr);
    EXPECT_EQ(a.Join() + b.Join() + c.Join(), 0);
    EXPECT_EQ(servers.WaitForEnd(), 0);
  }
  EXPECT_EQ(RunToEnd(job, 3, 3, files).exit_code, 0);
}

}  // namespace
}  // namespace tenor

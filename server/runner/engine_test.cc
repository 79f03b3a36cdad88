#include "server/runner/engine.h"

#include <cstring>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "base/memory_file_system.h"
#include "base/mutex.h"
#include "base/random.h"
#include "gtest/gtest.h"
#include "ops/codec/codec.h"
#include "proto/validate.h"

namespace tenor {
namespace {

spec::JobSpec Job() {
  spec::JobSpec job;
  job.set_name("a");
  job.mutable_model()->mutable_mlstm()->set_hidden(24);
  job.mutable_model()->mutable_mlstm()->set_embedding(16);
  job.mutable_optimizer()->mutable_adam()->set_weight_decay(0.01f);
  job.set_chunk_elements(4096);
  return FillDefaults(job);
}

// An engine whose completions are waited for one by one.
class Shard {
 public:
  Shard(int k, int shards, int threads, FileSystem& files)
      : engine_({threads, {"/run", {}, k, shards}, Job().optimizer()}, *MakeParameterSpace(Job()),
                files, [this](shard::Event event) { Put(std::move(event)); }) {}

  Engine& operator*() { return engine_; }
  OperationId Next() { return {++operation_}; }

  // The next completion, which must be of this kind.
  template <typename Kind>
  Kind Wait() {
    MutexLock lock(mu_);
    arrived_.Wait(mu_, [this]() TENOR_REQUIRES(mu_) { return !events_.empty(); });
    shard::Event event = std::move(events_.front());
    events_.erase(events_.begin());
    Kind* kind = std::get_if<Kind>(&event);
    EXPECT_NE(kind, nullptr) << "another completion: " << event.index();
    return kind == nullptr ? Kind{} : *kind;
  }

 private:
  void Put(shard::Event event) {
    MutexLock lock(mu_);
    events_.push_back(std::move(event));
    arrived_.NotifyOne();
  }

  Mutex mu_;
  CondVar arrived_;
  std::vector<shard::Event> events_ TENOR_GUARDED_BY(mu_);
  uint64_t operation_ = 0;
  Engine engine_;
};

Payload Contribution(const ChunkTable& table, int chunk, int rank, CodecId codec) {
  std::vector<float> gradient(table.Size(chunk));
  for (size_t i = 0; i < gradient.size(); ++i) {
    gradient[i] = NormalFloat(7, rank, table.Begin(chunk) + i);
  }
  std::vector<std::byte> bytes;
  Encode(codec, gradient, {}, 1, 0, &bytes);
  return Payload(std::move(bytes));
}

// Bits of every chunk after some rounds on K servers.
std::map<int, std::vector<std::byte>> Train(int shards, int threads, std::vector<double>* sums) {
  const ChunkTable table = MakeParameterSpace(Job())->chunks;
  std::map<int, std::vector<std::byte>> bits;
  sums->assign(table.count(), 0);
  MemoryFileSystem files;
  for (int k = 0; k < shards; ++k) {
    Shard shard(k, shards, threads, files);
    (*shard).StartLoad({shard.Next(), {}});
    shard.Wait<shard::LoadDone>();
    for (int round = 1; round <= 3; ++round) {
      for (int c = k; c < static_cast<int>(table.count()); c += shards) {
        for (int rank = 0; rank < 3; ++rank) {
          (*shard).StartReduce(
              {shard.Next(), c, {}, spec::Codec::FP16, rank, 4, rank == 0, rank == 2},
              Contribution(table, c, rank + 10 * round, CodecId::kFp16));
          const auto done = shard.Wait<shard::ReduceDone>();
          EXPECT_TRUE(done.finite);
          if (rank == 2) (*sums)[c] = done.square_sum;
        }
      }
      Finish finish;
      finish.verdict = VerdictKind::kApply;
      finish.divisor = 12;
      finish.learning_rate = 1e-3;
      finish.update_count = round;
      (*shard).StartApply({shard.Next(), finish});
      shard.Wait<shard::ApplyDone>();
    }
    for (int c = k; c < static_cast<int>(table.count()); c += shards) {
      (*shard).StartEncode({shard.Next(), {static_cast<uint64_t>(c) + 1}, c, spec::Codec::FP32});
      shard.Wait<shard::EncodeDone>();
      const Payload payload = (*shard).payload({static_cast<uint64_t>(c) + 1});
      bits[c].assign(payload.bytes().begin(), payload.bytes().end());
      (*shard).DropPayload({static_cast<uint64_t>(c) + 1});
    }
  }
  return bits;
}

TEST(Engine, SameBitsForAnyNumberOfServersAndThreads) {
  std::vector<double> sums_of_one;
  const auto one = Train(1, 1, &sums_of_one);
  ASSERT_GT(one.size(), 3u);
  for (int shards : {1, 2, 3, 8}) {
    std::vector<double> sums;
    EXPECT_EQ(Train(shards, 2, &sums), one) << shards;
    EXPECT_EQ(sums, sums_of_one) << shards;
  }
}

TEST(Engine, ASumThatIsNotFiniteIsReported) {
  MemoryFileSystem files;
  Shard shard(0, 1, 1, files);
  const size_t size = MakeParameterSpace(Job())->chunks.Size(0);
  std::vector<float> values(size, 1);
  values[size / 2] = std::numeric_limits<float>::quiet_NaN();
  std::vector<std::byte> bytes;
  Encode(CodecId::kFp32, values, {}, 1, 0, &bytes);
  (*shard).StartReduce({shard.Next(), 0, {}, spec::Codec::FP32, 0, 1, true, false}, Payload(bytes));
  shard.Wait<shard::ReduceDone>();
  (*shard).StartReduce({shard.Next(), 0, {}, spec::Codec::FP32, 1, 0, false, true}, Payload());
  EXPECT_FALSE(shard.Wait<shard::ReduceDone>().finite);

  // Bytes that do not decode count as not finite, and the next round starts clean.
  bytes.pop_back();
  (*shard).StartReduce({shard.Next(), 0, {}, spec::Codec::FP32, 0, 1, true, true}, Payload(bytes));
  EXPECT_FALSE(shard.Wait<shard::ReduceDone>().finite);
  (*shard).StartReduce({shard.Next(), 0, {}, spec::Codec::FP32, 0, 0, true, true}, Payload());
  const auto zero = shard.Wait<shard::ReduceDone>();
  EXPECT_TRUE(zero.finite);
  EXPECT_EQ(zero.square_sum, 0);
}

TEST(Engine, LoadOfAMissingCheckpointFails) {
  MemoryFileSystem files;
  Shard shard(0, 1, 1, files);
  (*shard).StartLoad({shard.Next(), {1, 2, 2}});
  EXPECT_EQ(shard.Wait<shard::LoadFailed>().kind, LoadErrorKind::kOther);
}

TEST(Engine, SaveWithoutASnapshotFails) {
  MemoryFileSystem files;
  Shard shard(0, 1, 1, files);
  (*shard).StartSave({shard.Next(), {1, 2, 2}});
  EXPECT_NE(shard.Wait<shard::SaveFailed>().error, "");
}

TEST(Engine, SnapshotOnAFullDiskLeavesNothing) {
  MemoryFileSystem files(1000);
  ASSERT_TRUE(files.CreateDirectory("/run").ok());
  Shard shard(0, 1, 1, files);
  (*shard).StartSnapshot({shard.Next(), {1, 2, 2}});
  EXPECT_NE(shard.Wait<shard::SnapshotDone>().error, "");
  const auto names = files.List("/run/ckpt/v000000002-g0001-r000000002");
  ASSERT_TRUE(names.ok());
  EXPECT_TRUE(names->empty());
}

}  // namespace
}  // namespace tenor

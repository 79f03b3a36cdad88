// The run folder under crashes and full disks: claims, shard files and manifests together.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/faulty_file_system.h"
#include "base/memory_file_system.h"
#include "base/path.h"
#include "base/status_testing.h"
#include "gtest/gtest.h"
#include "proto/job_identity.h"
#include "proto/validate.h"
#include "server/runner/checkpoint_store.h"
#include "server/runner/lineage_claims.h"
#include "server/runner/run_identity.h"
#include "server/runner/run_paths.h"
#include "server/runner/shard_file.h"

namespace tenor {
namespace {

constexpr char kRun[] = "/runs/a";
constexpr int kShards = 2;
constexpr int kChunks = 3;
constexpr size_t kElements = 5;

spec::JobSpec Job() {
  spec::JobSpec job;
  job.set_name("a");
  job.mutable_model()->mutable_mlstm()->set_hidden(8);
  job.mutable_data()->mutable_text()->set_digest("crc32c:00112233");
  job.mutable_data()->mutable_text()->set_bytes(100000);
  job.mutable_batch()->set_micro_batch(1);
  job.mutable_optimizer()->mutable_adam();
  job.mutable_schedule()->mutable_constant()->set_peak(0.1f);
  job.mutable_stop()->set_updates(10);
  return FillDefaults(job);
}

// Masters and moments whose values follow from the version.
struct Parameters {
  explicit Parameters(int64_t version) {
    for (int c = 0; c < kChunks; ++c) {
      for (auto* part : {&weight, &m, &v}) {
        part->emplace_back(kElements, static_cast<float>(version * 100 + c * 10 + part->size()));
      }
    }
  }
  Parameters() : Parameters(0) {}
  bool operator==(const Parameters&) const = default;

  std::vector<std::vector<float>> weight, m, v;
};

template <typename Float, typename Of>
std::vector<ChunkState<Float>> StatesOf(Of& parameters, int shard, int shards) {
  std::vector<ChunkState<Float>> states;
  for (int c = shard; c < kChunks; c += shards) {
    states.push_back({c, parameters.weight[c], parameters.m[c], parameters.v[c]});
  }
  return states;
}

spec::Manifest ManifestOf(const CheckpointName& name, const std::vector<SavedFile>& files) {
  spec::Manifest manifest;
  manifest.set_format_major(1);
  *manifest.mutable_job() = Job();
  manifest.set_job_hash(JobHash(Job()));
  manifest.mutable_id()->set_lineage(name.lineage);
  manifest.mutable_id()->set_round(name.round);
  manifest.mutable_id()->set_version(name.version);
  manifest.mutable_record()->set_round(name.round);
  manifest.mutable_record()->set_version(name.version);
  *manifest.mutable_record()->mutable_tunables() = DefaultTunables();
  manifest.set_shards(static_cast<int>(files.size()));
  manifest.set_chunk_elements(4096);
  manifest.set_elements(6);
  spec::TensorEntry& tensor = *manifest.add_layout();
  tensor.set_name("t");
  tensor.add_shape(6);
  manifest.set_wall_time("2026-11-30T19:44:01Z");
  manifest.set_tenor_version("test");
  for (const SavedFile& file : files) {
    spec::CheckpointFile& added = *manifest.add_files();
    added.set_name(file.name);
    added.set_bytes(file.bytes);
    added.set_crc32c(file.crc32c);
  }
  return manifest;
}

absl::Status SaveCheckpoint(FileSystem& files, const CheckpointName& name) {
  const Parameters parameters(name.version);
  std::vector<SavedFile> saved;
  for (int k = 0; k < kShards; ++k) {
    const auto states = StatesOf<const float>(parameters, k, kShards);
    auto writer = ShardFileWriter::Create(files, {kRun, name, k, kShards}, states);
    if (!writer.ok()) return writer.status();
    if (absl::Status written = (*writer)->Write(states); !written.ok()) return written;
    auto file = (*writer)->Commit();
    if (!file.ok()) return file.status();
    saved.push_back(*file);
  }
  return CheckpointStore(files, kRun).WriteManifest(name, ManifestOf(name, saved));
}

absl::Status Load(FileSystem& files, const CheckpointName& name, Parameters* parameters,
                  int shards = kShards) {
  const absl::StatusOr<spec::Manifest> manifest = CheckpointStore(files, kRun).ReadManifest(name);
  if (!manifest.ok()) return manifest.status();
  for (int k = 0; k < shards; ++k) {
    absl::Status loaded = LoadChunks(files, CheckpointFolder(kRun, name), *manifest,
                                     StatesOf<float>(*parameters, k, shards));
    if (!loaded.ok()) return loaded;
  }
  return absl::OkStatus();
}

void Begin(FileSystem& files) { ASSERT_OK(BeginRun(files, kRun, Job(), "n1").status()); }

constexpr CheckpointName kFirst{1, 5, 5};
constexpr CheckpointName kSecond{1, 10, 10};

TEST(RunPaths, NamesOfCheckpoints) {
  const CheckpointName name{7, 12345, 12300};
  EXPECT_EQ(CheckpointDirectoryName(name), "v000012300-g0007-r000012345");
  EXPECT_EQ(ParseCheckpointDirectoryName("v000012300-g0007-r000012345"), name);
  const CheckpointName large{123456, 12345678901, 12345678902};
  EXPECT_EQ(ParseCheckpointDirectoryName(CheckpointDirectoryName(large)), large);
  for (const char* other :
       {"", "v1-g1-r1", "v000012300-g0007-r000012345x", "v000012300-g0007",
        "v00001230-g00007-r000012345", "v99999999999999999999-g0001-r000000001"}) {
    EXPECT_EQ(ParseCheckpointDirectoryName(other), std::nullopt) << other;
  }
}

TEST(RunFolder, AnyNumberOfServersLoads) {
  MemoryFileSystem files;
  Begin(files);
  ASSERT_OK(SaveCheckpoint(files, kFirst));
  for (int shards : {1, 2, 3, 8}) {
    Parameters loaded;
    ASSERT_OK(Load(files, kFirst, &loaded, shards));
    EXPECT_EQ(loaded, Parameters(5)) << shards;
  }
  EXPECT_OK(CheckpointStore(files, kRun).Verify(kFirst));
}

// What holds after a crash or an error at any point while the second checkpoint is written.
void ExpectSound(FileSystem& files, const std::string& where) {
  SCOPED_TRACE(where);
  const CheckpointStore store(files, kRun);
  ASSERT_OK_AND_ASSIGN(const std::vector<CheckpointOnDisk> listed, store.List());
  ASSERT_FALSE(listed.empty());
  for (const CheckpointOnDisk& one : listed) {
    EXPECT_OK(store.Verify(one.name));
    Parameters loaded;
    EXPECT_OK(Load(files, one.name, &loaded));
    EXPECT_EQ(loaded, Parameters(one.name.version));
  }
  ASSERT_OK_AND_ASSIGN(const LineageClaims::Claim claim,
                       LineageClaims(files, kRun).ClaimNext(DefaultTunables()));
  EXPECT_EQ(claim.base, listed.back().name);
  ASSERT_TRUE(claim.record.has_value());
  EXPECT_EQ(claim.record->version(), listed.back().name.version);
}

void BeginWithOneCheckpoint(FileSystem& files) {
  Begin(files);
  ASSERT_OK(LineageClaims(files, kRun).ClaimNext(DefaultTunables()).status());
  ASSERT_OK(SaveCheckpoint(files, kFirst));
}

uint64_t CallsOfASave() {
  MemoryFileSystem memory;
  BeginWithOneCheckpoint(memory);
  FaultyFileSystem files(memory);
  EXPECT_OK(SaveCheckpoint(files, kSecond));
  return files.Calls(FileOperation::kAny);
}

TEST(RunFolder, SurvivesAFullDiskAtEveryCall) {
  const uint64_t calls = CallsOfASave();
  ASSERT_GT(calls, 10u);
  for (uint64_t nth = 1; nth <= calls; ++nth) {
    MemoryFileSystem memory;
    BeginWithOneCheckpoint(memory);
    FaultyFileSystem files(memory);
    // The disk stays full until the save has given up.
    files.SetFault({FileOperation::kAny, nth, calls});
    EXPECT_THAT(SaveCheckpoint(files, kSecond), StatusIs(absl::StatusCode::kResourceExhausted));
    ExpectSound(memory, "call " + std::to_string(nth));
    // What is left behind does not stand in the way of the next.
    EXPECT_OK(SaveCheckpoint(memory, {2, 12, 12}));
  }
}

TEST(RunFolder, SurvivesAPowerCutAtEveryCall) {
  const uint64_t calls = CallsOfASave();
  for (uint64_t nth = 1; nth <= calls + 1; ++nth) {
    MemoryFileSystem memory;
    BeginWithOneCheckpoint(memory);
    FaultyFileSystem files(memory);
    files.SetFault({FileOperation::kAny, nth, calls});
    const bool saved = SaveCheckpoint(files, kSecond).ok();
    memory.DropUnsynced();
    ExpectSound(memory, "call " + std::to_string(nth));
    if (saved) {
      EXPECT_OK(CheckpointStore(memory, kRun).Verify(kSecond));
    }
  }
}

TEST(RunFolder, ACutClaimIsVoidOrWhole) {
  MemoryFileSystem probe;
  BeginWithOneCheckpoint(probe);
  FaultyFileSystem counted(probe);
  ASSERT_OK(LineageClaims(counted, kRun).ClaimNext(DefaultTunables()).status());
  const uint64_t calls = counted.Calls(FileOperation::kAny);
  for (uint64_t nth = 1; nth <= calls; ++nth) {
    MemoryFileSystem memory;
    BeginWithOneCheckpoint(memory);
    FaultyFileSystem files(memory);
    files.SetFault({FileOperation::kAny, nth, calls});
    EXPECT_FALSE(LineageClaims(files, kRun).ClaimNext(DefaultTunables()).ok());
    memory.DropUnsynced();
    ExpectSound(memory, "call " + std::to_string(nth));
  }
}

TEST(LineageClaims, CountUpAndKeepTheNewestTunables) {
  MemoryFileSystem files;
  Begin(files);
  const LineageClaims claims(files, kRun);
  ASSERT_OK_AND_ASSIGN(const LineageClaims::Claim first, claims.ClaimNext(DefaultTunables()));
  EXPECT_EQ(first.lineage, 1);
  EXPECT_EQ(first.base, CheckpointName());
  EXPECT_FALSE(first.record.has_value());
  spec::Tunables changed = DefaultTunables();
  changed.set_accumulation_steps(8);
  ASSERT_OK(claims.Write(1, first.base, changed));
  ASSERT_OK_AND_ASSIGN(const LineageClaims::Claim second, claims.ClaimNext(DefaultTunables()));
  EXPECT_EQ(second.lineage, 2);
  EXPECT_EQ(second.tunables.accumulation_steps(), 8);
  EXPECT_THAT(claims.Newest(), IsOkAndHolds(2));
}

void Overwrite(FileSystem& files, const std::string& path, const std::string& text) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<WritableFile> file, files.Create(path));
  ASSERT_OK(file->Append(text));
  ASSERT_OK(file->Close());
}

TEST(CheckpointStore, DamageIsToldFromOtherErrors) {
  MemoryFileSystem memory;
  BeginWithOneCheckpoint(memory);
  Parameters loaded;
  const std::string file = JoinPath(CheckpointFolder(kRun, kFirst), ShardFileName(1, kShards));
  {
    FaultyFileSystem files(memory);
    files.SetFault({FileOperation::kRead, 1, 1000, absl::UnavailableError("Input/output error")});
    EXPECT_THAT(Load(files, kFirst, &loaded), StatusIs(absl::StatusCode::kUnavailable));
  }
  ASSERT_OK_AND_ASSIGN(std::string text, memory.ReadFile(file));
  text.back() ^= 1;
  Overwrite(memory, file, text);
  EXPECT_THAT(Load(memory, kFirst, &loaded),
              StatusIs(absl::StatusCode::kDataLoss, testing::HasSubstr("crc32c")));
  text.pop_back();
  Overwrite(memory, file, text);
  EXPECT_THAT(Load(memory, kFirst, &loaded),
              StatusIs(absl::StatusCode::kDataLoss, testing::HasSubstr("bytes")));
  ASSERT_OK(memory.Remove(file));
  EXPECT_THAT(Load(memory, kFirst, &loaded), StatusIs(absl::StatusCode::kDataLoss));

  const CheckpointStore store(memory, kRun);
  ASSERT_OK(store.RenameDamaged(kFirst));
  ASSERT_OK(store.RenameDamaged(kFirst));
  ASSERT_OK_AND_ASSIGN(const std::vector<CheckpointOnDisk> listed, store.List());
  ASSERT_EQ(listed.size(), 1u);
  EXPECT_TRUE(listed[0].damaged);
}

TEST(CheckpointStore, PrunesWhatIsOldAndUnfinished) {
  MemoryFileSystem files;
  BeginWithOneCheckpoint(files);
  ASSERT_OK(SaveCheckpoint(files, kSecond));
  const CheckpointName third{1, 15, 15};
  ASSERT_OK(SaveCheckpoint(files, third));
  const CheckpointName unfinished{1, 12, 12};
  ASSERT_OK(files.CreateDirectory(CheckpointFolder(kRun, unfinished)));
  const CheckpointStore store(files, kRun);
  ASSERT_OK(store.Prune({1, 10, {}, third}));
  ASSERT_OK_AND_ASSIGN(const std::vector<CheckpointOnDisk> listed, store.List());
  ASSERT_EQ(listed.size(), 2u);
  EXPECT_EQ(listed[0].name, kSecond);
  EXPECT_EQ(listed[1].name, third);
  EXPECT_THAT(files.Exists(CheckpointFolder(kRun, unfinished)), IsOkAndHolds(false));
}

TEST(RunIdentity, TakesUpTheSameJobAndRefusesAnother) {
  MemoryFileSystem files;
  EXPECT_THAT(JoinRun(files, kRun, Job()), StatusIs(absl::StatusCode::kNotFound));
  ASSERT_OK_AND_ASSIGN(const RunIdentity begun, BeginRun(files, kRun, Job(), "n1"));
  EXPECT_EQ(begun.nonce, "n1");
  ASSERT_OK_AND_ASSIGN(const RunIdentity again, BeginRun(files, kRun, Job(), "n2"));
  EXPECT_EQ(again.nonce, "n1");
  ASSERT_OK_AND_ASSIGN(const RunIdentity joined, JoinRun(files, kRun, Job()));
  EXPECT_EQ(joined.nonce, "n1");
  spec::JobSpec other = Job();
  other.set_seed(99);
  const absl::Status refused = BeginRun(files, kRun, other, "n3").status();
  EXPECT_THAT(refused,
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       testing::AllOf(testing::HasSubstr("seed"), testing::HasSubstr("--run_dir"),
                                      testing::HasSubstr("--resume_from"))));
}

}  // namespace
}  // namespace tenor

#include "worker/byte_trainer.h"

#include <atomic>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "base/memory_file_system.h"
#include "base/status_testing.h"
#include "data/text_dataset.h"
#include "gtest/gtest.h"
#include "model/mlstm.h"
#include "model/mlstm_init.h"
#include "proto/parse.h"
#include "proto/validate.h"
#include "worker/solo_group.h"

namespace tenor {
namespace {

constexpr int kLanes = 2;
constexpr int kWindow = 8;

// One process of a cluster: its model, lanes and gradient.
struct Worker {
  Worker(const spec::JobSpec& job, const TextDataSet& data) {
    exec = *Exec::Create(ExecOptions{.threads = 1});
    const MlstmConfig config{job.model().mlstm().hidden(), job.model().mlstm().embedding()};
    model = *Mlstm::Create(config, DataType::kFloat32, exec.get());
    group = std::make_unique<SoloGroup>(model->layout().size());
    InitialWeights(config, 1, 0, group->weights());
    trainer = std::make_unique<ByteTrainer>(job, data, model.get(), group.get());
  }

  StepResult Compute(std::vector<Lease> leases, int accumulation_steps, bool rebuild = false) {
    Directive directive;
    directive.accumulation_steps = accumulation_steps;
    directive.leases = std::move(leases);
    directive.rebuild_lanes = rebuild;
    Trainer::Progress progress;
    progress.micro_batch = [] {};
    progress.final_from = [](size_t) {};
    progress.cancelled = &cancelled;
    absl::StatusOr<StepResult> result = trainer->Compute(directive, progress);
    EXPECT_TRUE(result.ok()) << result.status();
    return result.ok() ? *result : StepResult();
  }

  std::vector<float> Gradient() { return {group->gradient().begin(), group->gradient().end()}; }

  std::unique_ptr<Exec> exec;
  std::unique_ptr<Mlstm> model;
  std::unique_ptr<SoloGroup> group;
  std::unique_ptr<ByteTrainer> trainer;
  std::atomic<bool> cancelled = false;
};

class ByteTrainerTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string text;
    for (int i = 0; i < 120; ++i) text += "sentence number " + std::to_string(i * i) + ". ";
    ASSERT_OK_AND_ASSIGN(std::unique_ptr<WritableFile> file, files_.Create("text"));
    ASSERT_OK(file->Append(text));
    ASSERT_OK(file->Close());
    TextDataSetOptions options;
    options.inputs = {"text"};
    options.output = "set";
    options.heldout_fraction = 0;
    ASSERT_OK(BuildTextDataSet(files_, options, nullptr));
    ASSERT_OK_AND_ASSIGN(data_, OpenTextDataSet(files_, "set"));
  }

  spec::JobSpec Job(int64_t segment_bytes) {
    absl::StatusOr<spec::JobSpec> job = ParseJobSpec(R"(
      name: "test"
      model { mlstm { hidden: 12 embedding: 6 } }
      data { text { digest: "crc32c:00000000" bytes: 1000 segment_bytes: 8 warmup_bytes: 8 } }
      batch { micro_batch: 2 window: 8 }
      optimizer { adam { } }
      schedule { constant { peak: 0.001 } }
      stop { updates: 1 })",
                                                     "job");
    EXPECT_TRUE(job.ok()) << job.status();
    job->mutable_data()->mutable_text()->set_bytes(data_->train_bytes());
    job->mutable_data()->mutable_text()->set_segment_bytes(segment_bytes);
    return *job;
  }

  MemoryFileSystem files_;
  std::unique_ptr<TextDataSet> data_;
};

// Each element is a sum over the samples, added in another order: it moves by at most (samples)
// roundings of the sum of its terms' sizes, which the norms of the parts bound.
double Tolerance(int64_t samples, const std::vector<std::vector<float>>& parts) {
  double norms = 0;
  for (const std::vector<float>& part : parts) {
    double square = 0;
    for (float x : part) square += double{x} * x;
    norms += std::sqrt(square);
  }
  return static_cast<double>(samples) * std::numeric_limits<float>::epsilon() * norms;
}

// One worker with 4 accumulation steps = 4 workers with 1, on segments of exactly one window.
TEST_F(ByteTrainerTest, AnySplitOfTheSamplesGivesTheSameGradient) {
  const spec::JobSpec job = Job(kWindow);
  std::vector<Lease> all;
  for (int lane = 0; lane < kLanes; ++lane) {
    for (int step = 0; step < 4; ++step) {
      all.push_back({0, 10 * lane + step, 0, kWindow, lane});
    }
  }
  Worker one(job, *data_);
  const StepResult whole = one.Compute(all, 4);
  EXPECT_EQ(whole.samples, 4 * kLanes * kWindow);

  std::vector<std::vector<float>> parts;
  double loss = 0;
  for (int step = 0; step < 4; ++step) {
    Worker part(job, *data_);
    std::vector<Lease> leases;
    for (const Lease& lease : all) {
      if (lease.segment % 10 == step) leases.push_back(lease);
    }
    loss += part.Compute(leases, 1).loss_sum;
    parts.push_back(part.Gradient());
  }
  EXPECT_NEAR(loss, whole.loss_sum, whole.loss_sum * 1e-6);

  double square = 0;
  const std::vector<float> gradient = one.Gradient();
  for (size_t i = 0; i < gradient.size(); ++i) {
    double sum = 0;
    for (const std::vector<float>& part : parts) sum += part[i];
    square += (sum - gradient[i]) * (sum - gradient[i]);
  }
  EXPECT_LE(std::sqrt(square), Tolerance(whole.samples, parts));
}

std::vector<Lease> Stretch(int64_t from, int64_t to) {
  return {{0, 3, from, to, 0}, {0, 5, from, to, 1}};
}

TEST_F(ByteTrainerTest, ASkippedRoundIsComputedAgainFromTheSameState) {
  const spec::JobSpec job = Job(64);
  Worker worker(job, *data_);
  worker.Compute(Stretch(0, 16), 2);
  worker.Compute(Stretch(16, 32), 2);
  const std::vector<float> first = worker.Gradient();
  worker.Compute(Stretch(16, 32), 2);
  EXPECT_EQ(worker.Gradient(), first);
}

// The carried state makes a difference, and a rebuilt lane is what a newcomer's would be.
TEST_F(ByteTrainerTest, ARebuiltLaneIsThatOfANewWorker) {
  const spec::JobSpec job = Job(64);
  Worker old_worker(job, *data_);
  old_worker.Compute(Stretch(0, 32), 4);
  old_worker.Compute(Stretch(32, 48), 2);
  const std::vector<float> carried = old_worker.Gradient();
  old_worker.Compute(Stretch(32, 48), 2, /*rebuild=*/true);
  const std::vector<float> rebuilt = old_worker.Gradient();
  Worker new_worker(job, *data_);
  new_worker.Compute(Stretch(32, 48), 2);
  EXPECT_EQ(new_worker.Gradient(), rebuilt);
  EXPECT_NE(carried, rebuilt);
}

TEST_F(ByteTrainerTest, ACancelledRoundLeavesNoStateBehind) {
  const spec::JobSpec job = Job(64);
  Worker worker(job, *data_);
  worker.cancelled = true;
  EXPECT_TRUE(worker.Compute(Stretch(0, 16), 2).cancelled);
  worker.cancelled = false;
  worker.Compute(Stretch(0, 16), 2);
  Worker fresh(job, *data_);
  fresh.Compute(Stretch(0, 16), 2);
  EXPECT_EQ(worker.Gradient(), fresh.Gradient());
}

TEST_F(ByteTrainerTest, LeasesOutsideTheDataAreRefused) {
  const spec::JobSpec job = Job(64);
  Worker worker(job, *data_);
  Directive directive;
  directive.leases = {{0, 1000000, 0, 8, 0}};
  std::atomic<bool> cancelled = false;
  Trainer::Progress progress{[] {}, [](size_t) {}, &cancelled};
  EXPECT_THAT(worker.trainer->Compute(directive, progress).status(),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace tenor

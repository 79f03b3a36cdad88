#include "model/job_model.h"

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "base/status_testing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tenor {
namespace {

spec::JobSpec SmallJob() {
  spec::JobSpec job;
  job.mutable_model()->mutable_mlstm()->set_hidden(8);
  job.mutable_model()->mutable_mlstm()->set_embedding(4);
  job.set_seed(7);
  job.set_chunk_elements(1000);
  return job;
}

TEST(JobModelTest, CutsAsTheJobSays) {
  const auto model = JobModel::Create(SmallJob());
  ASSERT_THAT(model, IsOk());
  EXPECT_EQ(model->chunks().total_elements(), model->layout().size());
  EXPECT_EQ(model->chunks().chunk_elements(), 1000u);
  EXPECT_EQ(model->type(), DataType::kFloat32);
}

TEST(JobModelTest, TakesTheJobsComputeType) {
  spec::JobSpec job = SmallJob();
  job.set_compute(spec::Compute::BF16);
  EXPECT_EQ(JobModel::Create(job)->type(), DataType::kBFloat16);
}

TEST(JobModelTest, InitialWeightsAreOneVectorHoweverTheyAreCut) {
  const auto model = JobModel::Create(SmallJob());
  ASSERT_THAT(model, IsOk());
  const std::vector<float> whole = model->Initial();
  std::vector<float> pieces(whole.size());
  for (size_t begin = 0; begin < whole.size(); begin += 333) {
    const size_t size = std::min<size_t>(333, whole.size() - begin);
    model->Initial(begin, std::span(pieces).subspan(begin, size));
  }
  EXPECT_EQ(whole, pieces);
  spec::JobSpec other = SmallJob();
  other.set_seed(8);
  EXPECT_NE(JobModel::Create(other)->Initial(), whole);
}

TEST(JobModelTest, MakesAModelOfItsLayout) {
  const auto model = JobModel::Create(SmallJob());
  auto exec = Exec::Create({.threads = 1});
  ASSERT_THAT(exec, IsOk());
  const auto made = model->NewModel(DataType::kFloat32, exec->get());
  ASSERT_THAT(made, IsOk());
  EXPECT_EQ((*made)->layout().Hash(), model->layout().Hash());
  EXPECT_THAT((*made)->SetWeights(model->Initial()), IsOk());
  EXPECT_GT(model->TrainingBytes(4, 16), model->TrainingBytes(2, 16));
}

TEST(JobModelTest, RefusesAJobWithoutAModel) {
  EXPECT_THAT(JobModel::Create(spec::JobSpec()), StatusIs(absl::StatusCode::kInvalidArgument));
  spec::JobSpec job = SmallJob();
  job.mutable_model()->mutable_mlstm()->set_hidden(0);
  EXPECT_THAT(JobModel::Create(job), StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace tenor

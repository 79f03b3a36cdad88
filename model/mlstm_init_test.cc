#include "model/mlstm_init.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace tenor {
namespace {

constexpr MlstmConfig kConfig{.hidden = 32, .embedding = 6};

std::vector<float> Whole(uint64_t seed) {
  std::vector<float> weights(MlstmLayout(kConfig).size());
  InitialWeights(kConfig, seed, 0, weights);
  return weights;
}

TEST(MlstmInit, AnyCutGivesTheSameVector) {
  const std::vector<float> whole = Whole(9);
  for (const size_t piece : {size_t{1}, size_t{97}, size_t{4096}}) {
    std::vector<float> pieces(whole.size());
    for (size_t begin = 0; begin < whole.size(); begin += piece) {
      const size_t size = std::min(piece, whole.size() - begin);
      InitialWeights(kConfig, 9, begin, std::span(pieces).subspan(begin, size));
    }
    EXPECT_EQ(pieces, whole) << piece;
  }
}

TEST(MlstmInit, SeedsDiffer) { EXPECT_NE(Whole(1), Whole(2)); }

// Mean and variance of what is drawn, within 5 standard deviations of their estimates.
TEST(MlstmInit, Distributions) {
  const Layout layout = MlstmLayout(kConfig);
  const std::vector<float> weights = Whole(4);
  const double uniform = 1.0 / kConfig.hidden / 3;
  for (const size_t t : {kEmbedding, kWmxV, kWxV, kWmhV, kWhV, kBias, kDecoderWeight}) {
    const Layout::Tensor& tensor = layout.tensor(t);
    double sum = 0, squares = 0;
    for (size_t i = 0; i < tensor.size; ++i) {
      const double w = weights[tensor.offset + i];
      sum += w;
      squares += w * w;
      if (t != kEmbedding) {
        EXPECT_LE(std::abs(w), 1 / std::sqrt(32.0));
      }
    }
    const double count = static_cast<double>(tensor.size);
    const double variance = t == kEmbedding ? 1 : uniform;
    EXPECT_NEAR(sum / count, 0, 5 * std::sqrt(variance / count)) << tensor.name;
    EXPECT_NEAR(squares / count, variance, 5 * variance * std::sqrt(2 / count)) << tensor.name;
  }
}

TEST(MlstmInit, GIsTheNormOfItsRowAndTheDecoderBiasIsZero) {
  const Layout layout = MlstmLayout(kConfig);
  const std::vector<float> weights = Whole(4);
  for (const size_t t : {kWmxV, kWxV, kWmhV, kWhV}) {
    const auto columns = static_cast<size_t>(layout.tensor(t).shape[1]);
    for (size_t row = 0; row < layout.tensor(t - 1).size; ++row) {
      const float* v = weights.data() + layout.tensor(t).offset + row * columns;
      double sum = 0;
      for (size_t k = 0; k < columns; ++k) sum += static_cast<double>(v[k]) * v[k];
      EXPECT_FLOAT_EQ(weights[layout.tensor(t - 1).offset + row], std::sqrt(sum));
    }
  }
  for (size_t i = 0; i < 256; ++i) {
    EXPECT_EQ(weights[layout.tensor(kDecoderBias).offset + i], 0.0f);
  }
}

}  // namespace
}  // namespace tenor

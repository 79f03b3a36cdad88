#include "ops/vector_math.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "ops/dot.h"

namespace tenor {
namespace {

// The functions as compiled for each instruction set that this processor has.
class VectorMath : public testing::TestWithParam<CpuIsa> {
 protected:
  void SetUp() override {
    if (GetParam() > DetectCpuIsa()) GTEST_SKIP() << "not on this processor";
  }
};

struct Args {
  const float* in;
  float* out;
  size_t count;
};
struct Exp {
  TENOR_KERNEL void Run(const Args& a) {
    for (size_t i = 0; i < a.count; ++i) a.out[i] = FastExp(a.in[i]);
  }
};
struct Sigmoid {
  TENOR_KERNEL void Run(const Args& a) {
    for (size_t i = 0; i < a.count; ++i) a.out[i] = FastSigmoid(a.in[i]);
  }
};
struct Tanh {
  TENOR_KERNEL void Run(const Args& a) {
    for (size_t i = 0; i < a.count; ++i) a.out[i] = FastTanh(a.in[i]);
  }
};

// Evenly spaced, and both signs of all orders of magnitude.
std::vector<float> Inputs(double low, double high) {
  std::vector<float> inputs;
  for (int i = 0; i <= 100000; ++i) {
    inputs.push_back(static_cast<float>(low + (high - low) * i / 100000));
  }
  for (double x = 1e-30; x < high; x *= 1.003) {
    inputs.push_back(static_cast<float>(x));
    inputs.push_back(static_cast<float>(-x));
  }
  return inputs;
}

template <typename Kernel>
std::vector<float> Apply(CpuIsa isa, const std::vector<float>& in) {
  std::vector<float> out(in.size());
  RunFor<Kernel>(isa, Args{in.data(), out.data(), in.size()});
  return out;
}

template <typename Kernel, typename Reference>
double WorstRelativeError(CpuIsa isa, const std::vector<float>& in, Reference reference) {
  const std::vector<float> out = Apply<Kernel>(isa, in);
  double worst = 0;
  for (size_t i = 0; i < in.size(); ++i) {
    const double exact = reference(static_cast<double>(in[i]));
    if (exact != 0) worst = std::max(worst, std::abs(out[i] / exact - 1));
  }
  return worst;
}

TEST_P(VectorMath, FollowsDoublePrecision) {
  EXPECT_LT(
      WorstRelativeError<Exp>(GetParam(), Inputs(-87, 87), [](double x) { return std::exp(x); }),
      2e-7);
  EXPECT_LT(WorstRelativeError<Sigmoid>(GetParam(), Inputs(-87, 87),
                                        [](double x) { return 1 / (1 + std::exp(-x)); }),
            4e-7);
  EXPECT_LT(
      WorstRelativeError<Tanh>(GetParam(), Inputs(-50, 50), [](double x) { return std::tanh(x); }),
      4e-7);
}

TEST_P(VectorMath, EndsOfTheRange) {
  const float infinity = std::numeric_limits<float>::infinity();
  const std::vector<float> in = {infinity, -infinity, 1000, -1000, 0};
  const std::vector<float> exp = Apply<Exp>(GetParam(), in);
  EXPECT_TRUE(std::isfinite(exp[0]) && exp[0] > 1e38f);
  EXPECT_TRUE(exp[1] > 0 && exp[1] < 1e-37f);
  EXPECT_EQ(exp[4], 1);
  const std::vector<float> sigmoid = Apply<Sigmoid>(GetParam(), in);
  EXPECT_EQ(sigmoid[0], 1);
  EXPECT_LT(sigmoid[1], 1e-37f);
  EXPECT_EQ(sigmoid[4], 0.5f);
  const std::vector<float> tanh = Apply<Tanh>(GetParam(), in);
  EXPECT_EQ(tanh[0], 1);
  EXPECT_EQ(tanh[1], -1);
  EXPECT_EQ(tanh[4], 0);
}

TEST_P(VectorMath, NanStaysNan) {
  const std::vector<float> in(9, std::numeric_limits<float>::quiet_NaN());
  for (const auto& out :
       {Apply<Exp>(GetParam(), in), Apply<Sigmoid>(GetParam(), in), Apply<Tanh>(GetParam(), in)}) {
    for (const float y : out) EXPECT_TRUE(std::isnan(y));
  }
}

INSTANTIATE_TEST_SUITE_P(Isas, VectorMath,
                         testing::Values(CpuIsa::kBaseline, CpuIsa::kAvx2, CpuIsa::kAvx512));

TEST(Dot, SumsEveryElementOnce) {
  for (int n = 0; n < 40; ++n) {
    std::vector<float> a(n), b(n);
    double expected = 0;
    for (int i = 0; i < n; ++i) {
      a[i] = i + 1;
      b[i] = 3 - i;
      expected += (i + 1) * (3 - i);
    }
    EXPECT_EQ(Dot(a.data(), b.data(), n), expected);
  }
}

}  // namespace
}  // namespace tenor

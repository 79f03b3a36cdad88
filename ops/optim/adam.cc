#include "ops/optim/adam.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/check.h"
#include "ops/cpu/instruction_set.h"
#include "ops/optim/decay_range.h"

namespace tenor {
namespace {

// What is the same for all elements of a call.
struct Factors {
  float gradient_multiplier;
  float beta1;
  float one_minus_beta1;
  float beta2;
  float one_minus_beta2;
  float m_correction;       // 1 / (1 - beta1^t)
  float root_v_correction;  // 1 / sqrt(1 - beta2^t)
  float epsilon;
  float learning_rate;
};

Factors MakeFactors(const AdamOptions& options, int64_t update_count, float learning_rate,
                    float gradient_multiplier) {
  const double t = static_cast<double>(update_count);
  const double m_bias = options.bias_correction ? 1 - std::pow(options.beta1, t) : 1;
  const double v_bias = options.bias_correction ? 1 - std::pow(options.beta2, t) : 1;
  return {.gradient_multiplier = gradient_multiplier,
          .beta1 = static_cast<float>(options.beta1),
          .one_minus_beta1 = static_cast<float>(1 - options.beta1),
          .beta2 = static_cast<float>(options.beta2),
          .one_minus_beta2 = static_cast<float>(1 - options.beta2),
          .m_correction = static_cast<float>(1 / m_bias),
          .root_v_correction = static_cast<float>(1 / std::sqrt(v_bias)),
          .epsilon = static_cast<float>(options.epsilon),
          .learning_rate = learning_rate};
}

struct AdamKernel {
  TENOR_KERNEL_BODY void Run(Factors f, float weight_decay, const float* __restrict gradient_sum,
                             float* __restrict weight, float* __restrict m, float* __restrict v,
                             size_t count) {
    for (size_t i = 0; i < count; ++i) {
      const float g = f.gradient_multiplier * gradient_sum[i];
      m[i] = f.beta1 * m[i] + f.one_minus_beta1 * g;
      v[i] = f.beta2 * v[i] + f.one_minus_beta2 * (g * g);
      const float root = std::sqrt(v[i]) * f.root_v_correction + f.epsilon;
      const float update = m[i] * f.m_correction / root;
      weight[i] -= f.learning_rate * (update + weight_decay * weight[i]);
    }
  }
};

}  // namespace

void AdamStep(const AdamOptions& options, int64_t update_count, float learning_rate,
              float gradient_multiplier, std::span<const float> gradient_sum,
              std::span<const DecayRange> decay, std::span<float> weight, std::span<float> m,
              std::span<float> v) {
  AdamStep(BestInstructionSet(), options, update_count, learning_rate, gradient_multiplier,
           gradient_sum, decay, weight, m, v);
}

void AdamStep(InstructionSet set, const AdamOptions& options, int64_t update_count,
              float learning_rate, float gradient_multiplier, std::span<const float> gradient_sum,
              std::span<const DecayRange> decay, std::span<float> weight, std::span<float> m,
              std::span<float> v) {
  const size_t count = gradient_sum.size();
  CHECK_GE(update_count, 1);
  CHECK(weight.size() == count && m.size() == count && v.size() == count);
  const Factors factors = MakeFactors(options, update_count, learning_rate, gradient_multiplier);
  const auto update = [&](size_t begin, size_t end, float weight_decay) {
    RunKernel<AdamKernel>(set, factors, weight_decay, gradient_sum.data() + begin,
                          weight.data() + begin, m.data() + begin, v.data() + begin, end - begin);
  };
  size_t done = 0;
  for (const DecayRange& range : decay) {
    CHECK(done <= range.begin && range.begin < range.end && range.end <= count);
    update(done, range.begin, 0.0f);
    update(range.begin, range.end, static_cast<float>(options.weight_decay));
    done = range.end;
  }
  update(done, count, 0.0f);
}

}  // namespace tenor

#ifndef TENOR_OPS_OPTIM_ADAM_H_
#define TENOR_OPS_OPTIM_ADAM_H_

#include <cstdint>
#include <span>

#include "ops/cpu/instruction_set.h"
#include "ops/optim/decay_range.h"

namespace tenor {

// Kept in FP64 so that 1 - beta2 and the powers of the betas come from the decimal that was
// configured; each factor is rounded to FP32 once.
struct AdamOptions {
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;
  double weight_decay = 0;      // decoupled (AdamW); 0: plain Adam
  bool bias_correction = true;  // true: PyTorch; false: BERT of Google and NVIDIA
};

// One update of a piece of the parameter vector (Kingma and Ba, arXiv 1412.6980, algorithm 1; decay
// as Loshchilov and Hutter, arXiv 1711.05101). For each element, in FP32:
//
//   g  = gradient_multiplier * gradient_sum
//   m := beta1 m + (1 - beta1) g
//   v := beta2 v + (1 - beta2) g g
//   u  = (m / (1 - beta1^t)) / (sqrt(v / (1 - beta2^t)) + epsilon)   without correction: m /
//   (sqrt(v) + epsilon) w := w - learning_rate (u + weight_decay w)                      the last
//   term inside `decay` only
//
//   update_count         t, counted from 1; matters only with bias correction
//   gradient_multiplier  1 / (number of samples), times the clip coefficient
//   gradient_sum         sum of the gradients over the samples; it is only read
//   decay                see DecayRange; elements relative to these spans
//
// Each element is updated by itself and the rounding of every operation is fixed: neither the
// instruction set nor the way in which the vector is cut into calls changes a bit. Single-threaded;
// calls on disjoint pieces may run at the same time. Gradients must be finite: they are judged
// before (protocol: no state changes in a skipped round).
//
// REQUIRES: four spans of equal length, no overlap, update_count >= 1, decay within the length.
void AdamStep(const AdamOptions& options, int64_t update_count, float learning_rate,
              float gradient_multiplier, std::span<const float> gradient_sum,
              std::span<const DecayRange> decay, std::span<float> weight, std::span<float> m,
              std::span<float> v);

// The same on the given instruction set. REQUIRES: the processor has it.
void AdamStep(InstructionSet set, const AdamOptions& options, int64_t update_count,
              float learning_rate, float gradient_multiplier, std::span<const float> gradient_sum,
              std::span<const DecayRange> decay, std::span<float> weight, std::span<float> m,
              std::span<float> v);

}  // namespace tenor

#endif  // TENOR_OPS_OPTIM_ADAM_H_

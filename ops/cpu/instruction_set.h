#ifndef TENOR_OPS_CPU_INSTRUCTION_SET_H_
#define TENOR_OPS_CPU_INSTRUCTION_SET_H_

#include <vector>

// One kernel body, compiled once for each instruction set and chosen at run time.
//
// A kernel is a struct with one static, always-inlined function:
//
//     struct Scale {
//       TENOR_KERNEL_BODY void Run(float factor, float* x, size_t count) { ... }
//     };
//     RunKernel<Scale>(BestInstructionSet(), factor, x, count);
//
// The compiler vectorises the loop in Run for each set. IEEE operations give the same bits in a
// vector as in a scalar, so all sets agree as long as the target is compiled with
// -ffp-contract=off (no silent fused multiply-add) and the body fixes the order of its additions.

namespace tenor {

// Wider vectors are left out: these passes are limited by memory.
enum class InstructionSet {
  kPortable,  // what every x86-64 processor has
  kAvx2,      // AVX2 and F16C
};

// The widest set that this processor has. Thread-safe.
InstructionSet BestInstructionSet();

// All sets that this processor has, kPortable first: what a test goes through. Thread-safe.
std::vector<InstructionSet> SupportedInstructionSets();

// "portable" or "avx2".
const char* InstructionSetName(InstructionSet set);

#define TENOR_TARGET_AVX2 __attribute__((target("avx2,f16c")))
#define TENOR_KERNEL_BODY __attribute__((always_inline)) static inline

namespace internal {

template <typename Body, typename... Args>
auto RunPortable(Args... args) {
  return Body::Run(args...);
}

template <typename Body, typename... Args>
TENOR_TARGET_AVX2 auto RunAvx2(Args... args) {
  return Body::Run(args...);
}

}  // namespace internal

// Calls Body::Run(args...) as compiled for `set`. REQUIRES: the processor has `set`.
template <typename Body, typename... Args>
auto RunKernel(InstructionSet set, Args... args) {
  if (set == InstructionSet::kAvx2) return internal::RunAvx2<Body>(args...);
  return internal::RunPortable<Body>(args...);
}

}  // namespace tenor

#endif  // TENOR_OPS_CPU_INSTRUCTION_SET_H_

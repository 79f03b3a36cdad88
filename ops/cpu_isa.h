// One source of a kernel, compiled for several instruction sets and chosen at run time.
#ifndef TENOR_OPS_CPU_ISA_H_
#define TENOR_OPS_CPU_ISA_H_

namespace tenor {

// kAvx2 includes FMA; kAvx512 is the foundation with BW, DQ and VL.
enum class CpuIsa { kBaseline, kAvx2, kAvx512 };

// The widest of them that this processor has.
CpuIsa DetectCpuIsa();

#define TENOR_KERNEL __attribute__((always_inline)) static inline

// Says that iterations of the next loop do not depend on each other although its pointers may be
// equal (in-place updates).
#ifdef __clang__
#define TENOR_INDEPENDENT_ITERATIONS _Pragma("clang loop vectorize(assume_safety)")
#else
#define TENOR_INDEPENDENT_ITERATIONS _Pragma("GCC ivdep")
#endif

namespace isa_internal {

template <typename Kernel, typename Args>
__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma"))) void RunAvx512(
    const Args& args) {
  Kernel::Run(args);
}

template <typename Kernel, typename Args>
__attribute__((target("avx2,fma"))) void RunAvx2(const Args& args) {
  Kernel::Run(args);
}

}  // namespace isa_internal

// Calls Kernel::Run(args), a TENOR_KERNEL function that calls only such functions, as compiled for
// `isa`. REQUIRES: the processor has it.
template <typename Kernel, typename Args>
void RunFor(CpuIsa isa, const Args& args) {
  switch (isa) {
    case CpuIsa::kAvx512:
      return isa_internal::RunAvx512<Kernel>(args);
    case CpuIsa::kAvx2:
      return isa_internal::RunAvx2<Kernel>(args);
    case CpuIsa::kBaseline:
      return Kernel::Run(args);
  }
}

}  // namespace tenor

#endif  // TENOR_OPS_CPU_ISA_H_

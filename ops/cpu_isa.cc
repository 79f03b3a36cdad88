#include "ops/cpu_isa.h"

namespace tenor {

CpuIsa DetectCpuIsa() {
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  if (avx2 && avx512) return CpuIsa::kAvx512;
  return avx2 ? CpuIsa::kAvx2 : CpuIsa::kBaseline;
}

}  // namespace tenor

// All that an operator needs to run, passed to it explicitly.
#ifndef TENOR_OPS_EXEC_H_
#define TENOR_OPS_EXEC_H_

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "ops/cpu_isa.h"
#include "ops/data_type.h"
#include "ops/thread_pool.h"

namespace tenor {

class GemmEngine;

enum class Device { kCpu, kCuda };

struct ExecOptions {
  Device device = Device::kCpu;
  // Of the GEMM engine and of our own loops, which never run at the same time. 1 to 1024.
  int threads = 1;
  // Computes BF16 products by FP32 arithmetic on converted copies, where the processor has no BF16
  // instructions: the same rounding of operands, a fraction of the speed. For tests and for
  // reproducing a run elsewhere.
  bool emulate_bf16 = false;
};

// Thread-compatible: operators on one Exec run one at a time, from any thread. Several Execs may
// run side by side in one process.
class Exec {
 public:
  // InvalidArgument: threads out of range. Unimplemented: no kernels for this device in this build.
  static absl::StatusOr<std::unique_ptr<Exec>> Create(const ExecOptions& options);
  ~Exec();
  Exec(const Exec&) = delete;
  Exec& operator=(const Exec&) = delete;

  Device device() const { return options_.device; }
  int threads() const { return options_.threads; }
  bool emulate_bf16() const { return options_.emulate_bf16; }
  // What our own kernels are compiled for.
  CpuIsa isa() const { return isa_; }
  ThreadPool& pool() { return pool_; }
  // ops/gemm_engine.h; only GEMM kernels use it.
  GemmEngine& gemm_engine() { return *gemm_engine_; }

  // OK if products of `type` run here; else FailedPrecondition that names the processor and the
  // type.
  absl::Status CheckSupports(DataType type) const;

 private:
  explicit Exec(const ExecOptions& options);

  const ExecOptions options_;
  const CpuIsa isa_;
  ThreadPool pool_;
  const std::unique_ptr<GemmEngine> gemm_engine_;
};

// Whether the processor multiplies BF16 natively (AVX-512 BF16 or AMX).
bool CpuSupportsBf16();

// The processor's own name, e.g. "AMD EPYC 7763", or "unknown processor".
std::string CpuName();

// Unimplemented: operator `name` has no kernel for `device`.
absl::Status NoKernel(const char* name, Device device);

}  // namespace tenor

#endif  // TENOR_OPS_EXEC_H_

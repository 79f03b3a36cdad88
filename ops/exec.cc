#include "ops/exec.h"

#include <cpuid.h>

#include <cstring>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "ops/gemm_engine.h"

namespace tenor {
namespace {

constexpr int kMaxThreads = 1024;

const char* NameOf(Device device) { return device == Device::kCpu ? "CPU" : "CUDA"; }

}  // namespace

absl::StatusOr<std::unique_ptr<Exec>> Exec::Create(const ExecOptions& options) {
  if (options.threads < 1 || options.threads > kMaxThreads) {
    return absl::InvalidArgumentError(
        absl::StrCat("threads ", options.threads, " is not between 1 and ", kMaxThreads));
  }
  if (options.device != Device::kCpu) return NoKernel("any operator", options.device);
  return std::unique_ptr<Exec>(new Exec(options));
}

Exec::Exec(const ExecOptions& options)
    : options_(options),
      isa_(DetectCpuIsa()),
      pool_(options.threads),
      gemm_engine_(std::make_unique<GemmEngine>(options.threads)) {}

Exec::~Exec() = default;

absl::Status Exec::CheckSupports(DataType type) const {
  if (type == DataType::kFloat32 || emulate_bf16() || CpuSupportsBf16()) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat("compute type BF16 needs AVX-512 BF16 or AMX, which this processor (", CpuName(),
                   ") has not; use FP32"));
}

bool CpuSupportsBf16() {
  // CPUID leaf 7, sub-leaf 1, EAX bit 5 is AVX512_BF16, which every processor with AMX has too. The
  // operating system's part (saved registers) is covered by the check of AVX-512.
  if (DetectCpuIsa() != CpuIsa::kAvx512) return false;
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  return __get_cpuid_count(7, 1, &eax, &ebx, &ecx, &edx) != 0 && (eax & (1u << 5)) != 0;
}

std::string CpuName() {
  unsigned words[12] = {};
  for (unsigned i = 0; i < 3; ++i) {
    unsigned* w = words + 4 * i;
    if (__get_cpuid(0x80000002u + i, &w[0], &w[1], &w[2], &w[3]) == 0) return "unknown processor";
  }
  char name[sizeof(words) + 1] = {};
  std::memcpy(name, words, sizeof(words));
  return std::string(absl::StripAsciiWhitespace(name));
}

absl::Status NoKernel(const char* name, Device device) {
  return absl::UnimplementedError(
      absl::StrCat("this build has no kernels of ", name, " for device ", NameOf(device)));
}

}  // namespace tenor

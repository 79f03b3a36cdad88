#include "ops/cpu/instruction_set.h"

#include <cpuid.h>

namespace tenor {
namespace {

// Asked of the processor itself: clang's __builtin_cpu_supports does not know the name.
bool HasF16c() {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  return __get_cpuid(1, &eax, &ebx, &ecx, &edx) != 0 && (ecx & bit_F16C) != 0;
}

bool HasAvx2() { return __builtin_cpu_supports("avx2") && HasF16c(); }

}  // namespace

InstructionSet BestInstructionSet() {
  if (HasAvx2()) return InstructionSet::kAvx2;
  return InstructionSet::kPortable;
}

std::vector<InstructionSet> SupportedInstructionSets() {
  std::vector<InstructionSet> sets = {InstructionSet::kPortable};
  if (HasAvx2()) sets.push_back(InstructionSet::kAvx2);
  return sets;
}

const char* InstructionSetName(InstructionSet set) {
  switch (set) {
    case InstructionSet::kPortable:
      return "portable";
    case InstructionSet::kAvx2:
      return "avx2";
  }
  return "unknown";
}

}  // namespace tenor

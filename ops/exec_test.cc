#include "ops/exec.h"

#include <gtest/gtest.h>

namespace tenor {
namespace {

TEST(Exec, RefusesThreadsOutOfRange) {
  for (const int threads : {0, -1, 1025}) {
    EXPECT_EQ(Exec::Create({.threads = threads}).status().code(),
              absl::StatusCode::kInvalidArgument);
  }
}

TEST(Exec, RefusesADeviceWithoutKernels) {
  EXPECT_EQ(Exec::Create({.device = Device::kCuda}).status().code(),
            absl::StatusCode::kUnimplemented);
}

TEST(Exec, Bf16NeedsTheProcessorOrEmulation) {
  EXPECT_EQ((*Exec::Create({}))->CheckSupports(DataType::kBFloat16).ok(), CpuSupportsBf16());
  EXPECT_TRUE((*Exec::Create({.emulate_bf16 = true}))->CheckSupports(DataType::kBFloat16).ok());
  EXPECT_TRUE((*Exec::Create({}))->CheckSupports(DataType::kFloat32).ok());
}

}  // namespace
}  // namespace tenor

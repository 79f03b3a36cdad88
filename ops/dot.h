// A dot product that compilers vectorise, with one order of summation on every processor.
#ifndef TENOR_OPS_DOT_H_
#define TENOR_OPS_DOT_H_

#include <cstdint>

#include "ops/cpu_isa.h"

namespace tenor {

// The sum of a[i] * b[i] over [0, n), in double. The 8 partial sums take every eighth element each.
TENOR_KERNEL double Dot(const float* a, const float* b, int64_t n) {
  double part[8] = {};
  int64_t i = 0;
  for (; i + 8 <= n; i += 8) {
    for (int64_t j = 0; j < 8; ++j) {
      part[j] += static_cast<double>(a[i + j]) * static_cast<double>(b[i + j]);
    }
  }
  for (; i < n; ++i) part[i % 8] += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  return ((part[0] + part[4]) + (part[1] + part[5])) + ((part[2] + part[6]) + (part[3] + part[7]));
}

}  // namespace tenor

#endif  // TENOR_OPS_DOT_H_

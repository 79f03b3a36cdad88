#ifndef TENOR_WORKER_SOLO_GROUP_H_
#define TENOR_WORKER_SOLO_GROUP_H_

#include <cstddef>
#include <span>
#include <vector>

#include "worker/node_group.h"

namespace tenor {

// A process that is a member by itself: weights and gradient in its own memory, nothing to sum.
// 8 bytes a parameter. Single-threaded.
class SoloGroup : public NodeGroup {
 public:
  explicit SoloGroup(size_t elements) : weights_(elements), gradient_(elements) {}

  int weight() const override { return 1; }
  std::span<float> weights() override { return weights_; }
  std::span<float> gradient() override { return gradient_; }
  void Sum(size_t, size_t) override {}

 private:
  std::vector<float> weights_;
  std::vector<float> gradient_;
};

}  // namespace tenor

#endif  // TENOR_WORKER_SOLO_GROUP_H_

// What a recurrent model carries from one window to the next.
#ifndef TENOR_MODEL_LANES_STATE_H_
#define TENOR_MODEL_LANES_STATE_H_

#include <vector>

#include "ops/tensor.h"

namespace tenor {

// Hidden state h and cell state c of B lanes, FP32. A value: copy it to be able to go back (no
// allocation where sizes are equal). Thread-compatible.
class LanesState {
 public:
  // All lanes at zero, the state at a segment's start. REQUIRES: lanes >= 0, hidden >= 1.
  LanesState(int lanes, int hidden);

  int lanes() const { return lanes_; }
  int hidden() const { return hidden_; }

  // Keeps the first lanes; new ones are at zero.
  void Resize(int lanes);
  void ResetLane(int lane);
  // REQUIRES: equal hidden().
  void CopyLane(const LanesState& from, int from_lane, int to_lane);

  Matrix<float> h() { return {h_.data(), lanes_, hidden_}; }  // [B, H]
  Matrix<float> c() { return {c_.data(), lanes_, hidden_}; }  // [B, H]
  Matrix<const float> h() const { return {h_.data(), lanes_, hidden_}; }
  Matrix<const float> c() const { return {c_.data(), lanes_, hidden_}; }

 private:
  int lanes_;
  int hidden_;
  std::vector<float> h_;
  std::vector<float> c_;
};

}  // namespace tenor

#endif  // TENOR_MODEL_LANES_STATE_H_

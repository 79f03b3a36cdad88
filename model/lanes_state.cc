#include "model/lanes_state.h"

#include <algorithm>

#include "base/check.h"

namespace tenor {
namespace {

size_t Elements(int lanes, int hidden) {
  return static_cast<size_t>(lanes) * static_cast<size_t>(hidden);
}

}  // namespace

LanesState::LanesState(int lanes, int hidden)
    : lanes_(lanes),
      hidden_(hidden),
      h_(Elements(lanes, hidden), 0.0f),
      c_(Elements(lanes, hidden), 0.0f) {
  CHECK(lanes >= 0 && hidden >= 1);
}

void LanesState::Resize(int lanes) {
  CHECK_GE(lanes, 0);
  lanes_ = lanes;
  h_.resize(Elements(lanes, hidden_), 0.0f);
  c_.resize(Elements(lanes, hidden_), 0.0f);
}

void LanesState::ResetLane(int lane) {
  CHECK(lane >= 0 && lane < lanes_);
  std::fill_n(h().Row(lane), hidden_, 0.0f);
  std::fill_n(c().Row(lane), hidden_, 0.0f);
}

void LanesState::CopyLane(const LanesState& from, int from_lane, int to_lane) {
  CHECK_EQ(from.hidden_, hidden_);
  CHECK(from_lane >= 0 && from_lane < from.lanes_ && to_lane >= 0 && to_lane < lanes_);
  std::copy_n(from.h().Row(from_lane), hidden_, h().Row(to_lane));
  std::copy_n(from.c().Row(from_lane), hidden_, c().Row(to_lane));
}

}  // namespace tenor

#include "model/lanes_state.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace tenor {
namespace {

LanesState Filled(int lanes, float value) {
  LanesState state(lanes, 3);
  std::fill_n(state.h().data, lanes * 3, value);
  std::fill_n(state.c().data, lanes * 3, value + 1);
  return state;
}

TEST(LanesState, ResetLaneClearsOneLane) {
  LanesState state = Filled(3, 5);
  state.ResetLane(1);
  EXPECT_EQ(state.h().Row(0)[2], 5);
  EXPECT_EQ(state.h().Row(1)[0], 0);
  EXPECT_EQ(state.c().Row(1)[2], 0);
  EXPECT_EQ(state.c().Row(2)[0], 6);
}

TEST(LanesState, ResizeKeepsTheFirstLanes) {
  LanesState state = Filled(2, 5);
  state.Resize(3);
  EXPECT_EQ(state.c().Row(1)[2], 6);
  EXPECT_EQ(state.c().Row(2)[0], 0);
  state.Resize(1);
  EXPECT_EQ(state.lanes(), 1);
}

TEST(LanesState, CopiesGoBack) {
  LanesState state = Filled(2, 5);
  const LanesState before = state;
  state.ResetLane(0);
  state.ResetLane(1);
  state.CopyLane(before, 0, 1);
  EXPECT_EQ(state.h().Row(0)[0], 0);
  EXPECT_EQ(state.h().Row(1)[0], 5);
  EXPECT_EQ(state.c().Row(1)[0], 6);
  state = before;
  EXPECT_EQ(state.h().Row(0)[0], 5);
}

}  // namespace
}  // namespace tenor

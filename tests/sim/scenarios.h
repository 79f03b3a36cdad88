#ifndef TENOR_TESTS_SIM_SCENARIOS_H_
#define TENOR_TESTS_SIM_SCENARIOS_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "tests/sim/world.h"

namespace tenor::sim {

// A calm network, one disturbance, and the figures that must come out (docs/protocol.md 10).
struct Scenario {
  std::string name;
  std::function<void(Plan*)> shape;     // may be empty
  std::function<void(World*)> disturb;  // after all processes were started
  int64_t most_evictions = 0;
  int64_t most_lineages = 1;
  int64_t most_extra_views = 0;  // beyond one a round
  int64_t least_busy_exits = 0;
};

std::vector<Scenario> AllScenarios();

struct ScenarioResult {
  std::string error;  // empty = as it must be
  Figures figures;
};
ScenarioResult RunScenario(const Scenario& scenario, std::string* trace);

// Runs the one of this name, or all; prints a line each. False: one is not as it must be.
bool RunScenarios(absl::string_view name, bool trace);

}  // namespace tenor::sim

#endif  // TENOR_TESTS_SIM_SCENARIOS_H_

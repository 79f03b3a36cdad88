// Runs seeds of the simulation; see README.md.
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "tests/sim/scenarios.h"
#include "tests/sim/seed_run.h"

namespace tenor::sim {
namespace {

struct Options {
  uint64_t first = 1;
  uint64_t count = 0;
  bool trace = false;
  std::string scenario;
};

// What a CHECK that fails leaves on the screen. Written once before each run.
char replay_line[160];
const std::string* live_trace = nullptr;

void OnAbort(int) {
  if (live_trace != nullptr) fwrite(live_trace->data(), 1, live_trace->size(), stdout);
  fflush(stdout);
  const ssize_t written = write(STDERR_FILENO, replay_line, strlen(replay_line));
  _exit(written < 0 ? 2 : 1);
}

bool ParseSeeds(const std::string& text, Options* options) {
  const std::vector<std::string> parts = absl::StrSplit(text, ':');
  options->count = 1;
  return parts.size() <= 2 && absl::SimpleAtoi(parts[0], &options->first) &&
         (parts.size() == 1 || absl::SimpleAtoi(parts[1], &options->count));
}

bool Parse(int argc, char** argv, Options* options) {
  for (int i = 1; i < argc; ++i) {
    const std::string flag = argv[i];
    if (flag == "--trace") {
      options->trace = true;
    } else if (flag == "--seeds" && i + 1 < argc) {
      if (!ParseSeeds(argv[++i], options)) return false;
    } else if (flag == "--scenario" && i + 1 < argc) {
      options->scenario = argv[++i];
    } else {
      return false;
    }
  }
  return options->count > 0 || !options->scenario.empty();
}

int Fail(uint64_t seed, const Violation& violation) {
  printf("seed %llu breaks %s: %s\nreplay: sim --seeds %llu:1 --trace\n",
         static_cast<unsigned long long>(seed), violation.invariant.c_str(), violation.text.c_str(),
         static_cast<unsigned long long>(seed));
  return 1;
}

void PrintSummary(const Options& options, const Figures& sum, absl::Duration wall) {
  const auto n = static_cast<int64_t>(options.count);
  printf("%s\n",
         absl::StrCat(n, " seeds, every invariant holds; applies ", sum.applies, ", skips ",
                      sum.skips, ", drops ", sum.drops, ", voids ", sum.voids, ", views ",
                      sum.views, ", lineages ", sum.lineages, ", evictions ", sum.evictions,
                      ", checkpoints ", sum.checkpoints, ", damaged loads ", sum.damaged_loads,
                      ", busy exits ", sum.busy_exits, ", leaves ", sum.leaves, ", stops ",
                      sum.stops, ", mean end ", sum.end / n, " ms; ",
                      static_cast<int64_t>(static_cast<double>(n) / absl::ToDoubleSeconds(wall)),
                      " seeds per second")
             .c_str());
}

int RunSeeds(const Options& options) {
  Figures sum;
  const absl::Time start = absl::Now();
  for (uint64_t seed = options.first; seed < options.first + options.count; ++seed) {
    snprintf(replay_line, sizeof replay_line,
             "seed %llu aborts\nreplay: sim --seeds %llu:1 --trace\n",
             static_cast<unsigned long long>(seed), static_cast<unsigned long long>(seed));
    std::string trace;
    live_trace = options.trace ? &trace : nullptr;
    const SeedResult result = RunSeed(seed, options.trace ? &trace : nullptr);
    live_trace = nullptr;
    if (options.trace) fwrite(trace.data(), 1, trace.size(), stdout);
    if (!result.violation.invariant.empty()) return Fail(seed, result.violation);
    sum += result.figures;
    if (seed % 100 != 0) continue;
    const Violation repeated = CheckRepeatable(seed);
    if (!repeated.invariant.empty()) return Fail(seed, repeated);
  }
  PrintSummary(options, sum, absl::Now() - start);
  return 0;
}

int Main(int argc, char** argv) {
  Options options;
  if (!Parse(argc, argv, &options)) {
    fprintf(stderr, "usage: sim --seeds FIRST:COUNT [--trace] | --scenario NAME|all [--trace]\n");
    return 2;
  }
  signal(SIGABRT, OnAbort);
  if (!options.scenario.empty()) {
    snprintf(replay_line, sizeof replay_line, "replay: sim --scenario %s --trace\n",
             options.scenario.c_str());
    if (!RunScenarios(options.scenario, options.trace)) return 1;
  }
  return options.count > 0 ? RunSeeds(options) : 0;
}

}  // namespace
}  // namespace tenor::sim

int main(int argc, char** argv) { return tenor::sim::Main(argc, argv); }

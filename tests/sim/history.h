#ifndef TENOR_TESTS_SIM_HISTORY_H_
#define TENOR_TESTS_SIM_HISTORY_H_

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "proto/spec.pb.h"
#include "server/core/messages.h"
#include "server/core/names.h"

namespace tenor::sim {

// The first invariant that did not hold; empty invariant = none so far.
struct Violation {
  std::string invariant;
  std::string text;
};

// What one worker computed once for one round: the outside's view of a gradient.
struct Computation {
  std::string member;
  Incarnation incarnation;
  Label label;  // under which it began
  Version version = 0;
  int loss_scale_log2 = 0;
  spec::Codec::Id codec = spec::Codec::FP32;
  std::vector<Lease> leases;
  std::vector<uint64_t> parameters;  // hash by shard
  std::vector<int> residual_of;      // computations whose rounding error it carries
  bool finite = true;
};

// A report as it reached the coordinator.
struct ReportSeen {
  int computation = 0;
  bool finite = true;
  std::vector<Lease> consumption;
};

struct Verdict {
  Label label;
  VerdictKind kind = VerdictKind::kVoid;
  std::vector<int> computations;  // in rank order
};

using RoundName = std::pair<Lineage, Round>;

// Everything that happened, with knowledge that no process has. Single-threaded.
struct History {
  std::vector<Computation> computations;
  std::map<Label, Open> opened;
  std::map<Label, std::map<Incarnation, ReportSeen>> reports;
  std::map<RoundName, Verdict> verdicts;
  std::map<Lineage, CheckpointName> bases;
  Violation violation;

  void Fail(absl::string_view invariant, std::string text) {
    if (violation.invariant.empty()) violation = {std::string(invariant), std::move(text)};
  }
  bool failed() const { return !violation.invariant.empty(); }

  // Whether round `name` lies on the path base -> ... -> lineage.
  bool OnPath(Lineage lineage, RoundName name) const;
};

std::string ToString(const Label& label);

}  // namespace tenor::sim

#endif  // TENOR_TESTS_SIM_HISTORY_H_

#ifndef TENOR_SERVER_CORE_STOP_H_
#define TENOR_SERVER_CORE_STOP_H_

#include <cstdint>
#include <optional>
#include <string>

#include "proto/spec.pb.h"
#include "server/core/names.h"

namespace tenor {

// Where a run stands after a verdict.
struct StopPoint {
  Version version = 0;
  int64_t samples = 0;  // of applied updates
  bool data_exhausted = false;
  std::optional<double> loss;  // mean of the round, where it was applied
};

// The condition of `stop` that holds, in one phrase; none: the run goes on. Pure.
std::optional<std::string> EndReason(const spec::StopSpec& stop, const StopPoint& point);

}  // namespace tenor

#endif  // TENOR_SERVER_CORE_STOP_H_

#ifndef TENOR_PROTO_TUNABLE_RANGES_H_
#define TENOR_PROTO_TUNABLE_RANGES_H_

#include "proto/spec.pb.h"

namespace tenor {

// What a numeric field of Tunables may hold, both ends included. Bounds are exact as doubles.
struct TunableRange {
  int field_number;
  double low;
  double high;
};

inline constexpr TunableRange kTunableRanges[] = {
    {spec::Tunables::kAccumulationStepsFieldNumber, 1, 65536},
    {spec::Tunables::kLearningRateScaleFieldNumber, 0, 100},
    {spec::Tunables::kCheckpointEveryFieldNumber, 0, 1e12},
    {spec::Tunables::kMinWorkersFieldNumber, 1, 100000},
    {spec::Tunables::kHeartbeatTimeoutFieldNumber, 1, 600},
    {spec::Tunables::kRoundDeadlineFieldNumber, 0, 86400},
    {spec::Tunables::kKeepCheckpointsFieldNumber, 1, 10000},
    {spec::Tunables::kKeepEveryFieldNumber, 0, 1e12},
};

}  // namespace tenor

#endif  // TENOR_PROTO_TUNABLE_RANGES_H_

#ifndef TENOR_SERVER_CORE_SCALER_H_
#define TENOR_SERVER_CORE_SCALER_H_

#include <cstdint>

#include "proto/spec.pb.h"
#include "server/core/messages.h"

// The dynamic loss scale, a power of two (docs/protocol.md 2.5; Micikevicius et al., "Mixed
// precision training", ICLR 2018, 3.2). Pure.

namespace tenor {

struct ScalerRules {
  bool dynamic = false;  // without it the scale is 1 and a bad round is dropped at once
  int32_t initial_log2 = 0;
  int32_t minimum_log2 = 0;
  int32_t maximum_log2 = 0;
  int32_t growth_rounds = 1000;  // applied rounds in a row until it doubles
  int32_t max_skips = 8;         // in a row, then the samples are dropped
};

// Defaults of spec::LossScaleSpec filled in; all zero where `dynamic` is false.
ScalerRules ScalerRulesOf(const spec::LossScaleSpec& spec, bool dynamic);

spec::LossScalerState InitialScaler(const ScalerRules& rules);

// The verdict of a complete round. REQUIRES: samples >= 0.
VerdictKind Judge(const ScalerRules& rules, const spec::LossScalerState& state, bool finite,
                  int64_t samples);

// The state after that verdict. void changes nothing.
spec::LossScalerState AfterVerdict(const ScalerRules& rules, const spec::LossScalerState& state,
                                   VerdictKind verdict);

}  // namespace tenor

#endif  // TENOR_SERVER_CORE_SCALER_H_

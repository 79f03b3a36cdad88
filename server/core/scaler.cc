#include "server/core/scaler.h"

#include <algorithm>
#include <cstdint>

#include "proto/spec.pb.h"
#include "server/core/messages.h"

namespace tenor {

ScalerRules ScalerRulesOf(const spec::LossScaleSpec& spec, bool dynamic) {
  if (!dynamic) return {};
  return {.dynamic = true,
          .initial_log2 = spec.has_initial_log2() ? spec.initial_log2() : 16,
          .minimum_log2 = spec.has_minimum_log2() ? spec.minimum_log2() : 0,
          .maximum_log2 = spec.has_maximum_log2() ? spec.maximum_log2() : 24,
          .growth_rounds = spec.has_growth_rounds() ? spec.growth_rounds() : 1000,
          .max_skips = spec.has_max_skips() ? spec.max_skips() : 8};
}

spec::LossScalerState InitialScaler(const ScalerRules& rules) {
  spec::LossScalerState state;
  state.set_log2(rules.initial_log2);
  return state;
}

VerdictKind Judge(const ScalerRules& rules, const spec::LossScalerState& state, bool finite,
                  int64_t samples) {
  if (finite) return samples == 0 ? VerdictKind::kVoid : VerdictKind::kApply;
  const bool may_skip =
      rules.dynamic && state.log2() > rules.minimum_log2 && state.skips() < rules.max_skips;
  return may_skip ? VerdictKind::kSkip : VerdictKind::kDrop;
}

namespace {

void Grow(const ScalerRules& rules, spec::LossScalerState* state) {
  state->set_clean_rounds(state->clean_rounds() + 1);
  if (state->clean_rounds() < rules.growth_rounds || !rules.dynamic) return;
  state->set_log2(std::min(rules.maximum_log2, state->log2() + 1));
  state->set_clean_rounds(0);
}

void Shrink(const ScalerRules& rules, spec::LossScalerState* state) {
  state->set_log2(std::max(rules.minimum_log2, state->log2() - 1));
  state->set_clean_rounds(0);
}

}  // namespace

spec::LossScalerState AfterVerdict(const ScalerRules& rules, const spec::LossScalerState& state,
                                   VerdictKind verdict) {
  spec::LossScalerState after = state;
  switch (verdict) {
    case VerdictKind::kVoid:
      break;
    case VerdictKind::kApply:
      Grow(rules, &after);
      after.set_skips(0);
      after.set_drops(0);
      break;
    case VerdictKind::kSkip:
      Shrink(rules, &after);
      after.set_skips(state.skips() + 1);
      break;
    case VerdictKind::kDrop:
      Shrink(rules, &after);
      after.set_skips(0);
      after.set_drops(state.drops() + 1);
      break;
  }
  return after;
}

}  // namespace tenor

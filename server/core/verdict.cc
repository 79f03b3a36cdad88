#include "server/core/verdict.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "base/check.h"
#include "server/core/messages.h"
#include "server/core/names.h"

namespace tenor {

RoundTotals AddReports(std::span<const Member> view, const std::map<Incarnation, Report>& reports) {
  RoundTotals totals;
  for (const Member& member : view) {
    const Report& report = reports.at(member.incarnation);
    totals.finite = totals.finite && report.finite;
    totals.samples += report.samples;
    totals.loss_sum += report.loss_sum;
  }
  totals.finite = totals.finite && std::isfinite(totals.loss_sum);
  return totals;
}

double AddChunks(std::span<const std::vector<double>> by_shard, ChunkNumber chunks) {
  const size_t shards = by_shard.size();
  double sum = 0;
  for (size_t chunk = 0; chunk < static_cast<size_t>(chunks); ++chunk) {
    const std::vector<double>& own = by_shard[chunk % shards];
    CHECK_LT(chunk / shards, own.size());
    sum += own[chunk / shards];
  }
  return sum;
}

double GradientNorm(double square_sum, int64_t samples) {
  return samples == 0 ? 0 : std::sqrt(square_sum) / static_cast<double>(samples);
}

double ClipCoefficient(double norm, double clip) {
  return clip > 0 && norm > clip ? clip / norm : 1;
}

std::vector<double> TrustRatios(std::span<const std::vector<PartialNorm>> by_shard, int32_t tensors,
                                std::vector<int32_t>* not_finite) {
  std::vector<PartialNorm> all;
  for (const std::vector<PartialNorm>& part : by_shard)
    all.insert(all.end(), part.begin(), part.end());
  std::stable_sort(all.begin(), all.end(),
                   [](const PartialNorm& a, const PartialNorm& b) { return a.chunk < b.chunk; });
  std::vector<double> weight(tensors);
  std::vector<double> update(tensors);
  for (const PartialNorm& part : all) {
    weight[part.tensor] += part.weight_square;
    update[part.tensor] += part.update_square;
  }
  std::vector<double> ratios(tensors, 1.0);
  for (int32_t i = 0; i < tensors; ++i) {
    if (weight[i] == 0 || update[i] == 0) continue;
    const double ratio = std::sqrt(weight[i]) / std::sqrt(update[i]);
    if (std::isfinite(ratio)) {
      ratios[i] = ratio;
    } else {
      not_finite->push_back(i);
    }
  }
  return ratios;
}

}  // namespace tenor

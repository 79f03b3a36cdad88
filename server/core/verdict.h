#ifndef TENOR_SERVER_CORE_VERDICT_H_
#define TENOR_SERVER_CORE_VERDICT_H_

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "server/core/messages.h"
#include "server/core/names.h"

// The sums behind a verdict (docs/protocol.md 2.3, 2.4). Pure; everything is added in a fixed order
// of global chunks and ranks, in FP64, so that the bits depend neither on the number of shards nor
// on arrival.

namespace tenor {

struct RoundTotals {
  bool finite = true;  // all reports, and the loss
  int64_t samples = 0;
  double loss_sum = 0;  // nats
};
// REQUIRES: a report of every member of the view.
RoundTotals AddReports(std::span<const Member> view, const std::map<Incarnation, Report>& reports);

// Sum over global chunks 0, 1, ...; chunk c is number c / K of shard c mod K.
// REQUIRES: each shard holds one value per own chunk.
double AddChunks(std::span<const std::vector<double>> by_shard, ChunkNumber chunks);

// Norm of the mean gradient: the square root of the sum over chunks, divided by the samples.
double GradientNorm(double square_sum, int64_t samples);

// What the gradient is multiplied with: 1, or clip / norm where the norm is above it. clip 0 = off.
double ClipCoefficient(double norm, double clip);

// Trust ratios of LAMB (You et al., "Large Batch Optimization for Deep Learning", ICLR 2020,
// algorithm 2): ||w|| / ||u|| per tensor, 1 where either is 0 or the ratio is not finite; those of
// the latter kind are listed in *not_finite. Partial norms are added in order of chunks.
std::vector<double> TrustRatios(std::span<const std::vector<PartialNorm>> by_shard, int32_t tensors,
                                std::vector<int32_t>* not_finite);

}  // namespace tenor

#endif  // TENOR_SERVER_CORE_VERDICT_H_

#include "worker/gradient_work.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/random.h"
#include "ops/codec/codec.h"

namespace tenor {

struct GradientWork::Running {
  std::shared_ptr<std::atomic<bool>> cancelled;
};

GradientWork::GradientWork(Trainer* trainer, NodeGroup* group, ChunkTable chunks,
                           const Clock* clock, uint64_t seed, Sink sink, OnError on_error)
    : trainer_(trainer),
      group_(group),
      chunks_(chunks),
      clock_(clock),
      seed_(seed),
      sink_(std::move(sink)),
      on_error_(std::move(on_error)) {}

GradientWork::~GradientWork() { Stop(); }

void GradientWork::Stop() {
  if (cancelled_) cancelled_->store(true);
  encoding_.Stop();
  computing_.Stop();
}

// Behind what still encodes or settles the gradient of the round before, whose buffer it takes.
void GradientWork::Compute(const session::StartCompute& start) {
  newest_ = start.computation;
  cancelled_ = std::make_shared<std::atomic<bool>>(false);
  Running running{cancelled_};
  encoding_.Add([this, start, running] {
    computing_.Add([this, start, running] { RunCompute(start, running); });
  });
}

void GradientWork::Cancel(session::ComputationId computation) {
  if (computation == newest_ && cancelled_) cancelled_->store(true);
}

void GradientWork::RunCompute(const session::StartCompute& start, const Running& running) {
  if (running.cancelled->load()) return;
  const absl::Duration begin = clock_->Now();
  int64_t samples = 0;
  for (const Lease& lease : start.directive.leases) samples += lease.to - lease.from;
  size_t final_from = chunks_.total_elements();
  Trainer::Progress progress;
  progress.cancelled = running.cancelled.get();
  progress.micro_batch = [this] { sink_(session::ProgressMade{}, Payload()); };
  progress.final_from = [&](size_t offset) {
    Announce(start, samples, offset, final_from);
    final_from = offset;
  };
  absl::StatusOr<StepResult> result = trainer_->Compute(start.directive, progress);
  if (!result.ok()) return on_error_(result.status());
  if (result->cancelled) return;
  compute_seconds_.store(compute_seconds() + absl::ToDoubleSeconds(clock_->Now() - begin));
  sink_(session::ComputeDone{start.computation, result->samples, result->loss_sum, result->finite,
                             std::move(result->consumption)},
        Payload());
}

// Elements [from, to) became final: so did every chunk that begins in there.
void GradientWork::Announce(const session::StartCompute& start, int64_t samples, size_t from,
                            size_t to) {
  if (from >= to) return;
  group_->Sum(from, to);
  const size_t width = chunks_.chunk_elements();
  const size_t first = (from + width - 1) / width;
  const size_t end = (to + width - 1) / width;
  for (size_t chunk = end; chunk-- > first;) {
    sink_(session::GradientChunkReady{start.computation, static_cast<ChunkNumber>(chunk), samples,
                                      true},
          Payload());
  }
}

void GradientWork::Encode(const session::EncodeChunk& encode) {
  encoding_.Add([this, encode] { RunEncode(encode); });
}

void GradientWork::RunEncode(const session::EncodeChunk& encode) {
  const CodecId codec = static_cast<CodecId>(encode.codec);
  const uint64_t seed = RandomBits(seed_, encode.computation.value, encode.chunk);
  std::vector<std::byte> bytes;
  const bool finite = tenor::Encode(codec, GradientOf(encode.chunk), ResidualOf(encode.chunk),
                                    static_cast<float>(encode.samples), seed, &bytes);
  if (!finite) bytes.clear();
  const int64_t size = static_cast<int64_t>(bytes.size());
  sink_(session::Encoded{encode.computation, encode.chunk, finite, size},
        Payload(std::move(bytes)));
}

void GradientWork::Decode(const Chunk& chunk, Payload payload) {
  computing_.Add([this, chunk, payload = std::move(payload)] { RunDecode(chunk, payload); });
}

void GradientWork::RunDecode(const Chunk& chunk, const Payload& payload) {
  std::span<float> weights =
      group_->weights().subspan(chunks_.Begin(chunk.chunk), chunks_.Size(chunk.chunk));
  const absl::Status decoded =
      tenor::Decode(static_cast<CodecId>(chunk.codec), payload.bytes(), weights);
  trainer_->WeightsChanged();
  sink_(session::ChunkDecoded{chunk.lineage, chunk.version, chunk.chunk, decoded.ok()}, Payload());
}

void GradientWork::Settle(const session::Settle& settle, int64_t samples, spec::Codec::Id codec,
                          std::vector<Payload> bytes) {
  encoding_.Add([this, settle, samples, codec, bytes = std::move(bytes)] {
    RunSettle(settle, samples, codec, bytes);
  });
}

void GradientWork::RunSettle(const session::Settle& settle, int64_t samples, spec::Codec::Id codec,
                             const std::vector<Payload>& bytes) {
  if (!settle.applied) return;
  const CodecId id = static_cast<CodecId>(codec);
  if (settle.zero_residual || !KeepsResidual(id)) return residual_.clear();
  residual_.resize(chunks_.total_elements());
  for (size_t chunk = 0; chunk < bytes.size(); ++chunk) {
    const ChunkNumber number = static_cast<ChunkNumber>(chunk);
    tenor::Settle(id, GradientOf(number), bytes[chunk].bytes(), static_cast<float>(samples),
                  ResidualOf(number));
  }
}

void GradientWork::ZeroResidual() {
  encoding_.Add([this] { residual_.clear(); });
}

void GradientWork::ResetLanes() {
  computing_.Add([this] { trainer_->ResetLanes(); });
}

std::span<float> GradientWork::GradientOf(ChunkNumber chunk) {
  return group_->gradient().subspan(chunks_.Begin(chunk), chunks_.Size(chunk));
}

std::span<float> GradientWork::ResidualOf(ChunkNumber chunk) {
  if (residual_.empty()) return {};
  return std::span<float>(residual_).subspan(chunks_.Begin(chunk), chunks_.Size(chunk));
}

}  // namespace tenor

#include "tests/sim/trainer.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "tests/sim/job.h"
#include "tests/sim/world.h"

namespace tenor::sim {
namespace {

int64_t SamplesOf(const std::vector<Lease>& leases) {
  int64_t samples = 0;
  for (const Lease& lease : leases) samples += lease.to - lease.from;
  return samples;
}

}  // namespace

Trainer::Trainer(World* world, Process* self, Tell tell)
    : world_(world), self_(self), tell_(std::move(tell)) {}

void Trainer::Compute(const session::StartCompute& effect) {
  const Directive& directive = effect.directive;
  Computation computation;
  computation.member = WorkerName(self_->index());
  computation.incarnation = directive.incarnation;
  computation.label = directive.label;
  computation.version = directive.version;
  computation.loss_scale_log2 = directive.loss_scale_log2;
  computation.codec = directive.push_codec;
  computation.leases = directive.leases;
  computation.parameters = ParametersByShard();
  computation.residual_of = residual_of_;
  computation.finite = DrawFinite(directive);
  auto& computations = world_->history().computations;
  computations.push_back(std::move(computation));
  const int64_t samples = SamplesOf(directive.leases);
  Begin(effect.computation, static_cast<int>(computations.size()) - 1,
        5 + samples * world_->random().Range(2, 8));
}

bool Trainer::DrawFinite(const Directive& directive) const {
  const Plan& plan = world_->plan();
  for (const Lease& lease : directive.leases) {
    const size_t first = world_->ledger().Index(lease.pass, lease.segment, lease.from);
    const size_t end = first + (lease.to - lease.from);
    const size_t bad = plan.bad_sample;
    if (plan.has_bad_sample && bad >= first && bad < end) return false;
  }
  return directive.leases.empty() ||
         !world_->random().Chance(plan.not_finite * directive.loss_scale_log2);
}

std::vector<uint64_t> Trainer::ParametersByShard() const {
  const Plan& plan = world_->plan();
  std::vector<uint64_t> parameters(plan.shards, 0);
  for (ChunkNumber chunk = 0; chunk < plan.chunks; ++chunk) {
    auto weights = weights_.find(chunk);
    const uint64_t hash = weights == weights_.end() ? 1 : weights->second;
    uint64_t& of_shard = parameters[chunk % plan.shards];
    if (of_shard == 0) of_shard = hash;
    if (of_shard != hash) of_shard = 2;  // chunks of two versions; fits no shard
  }
  return parameters;
}

void Trainer::SumAgain(const session::SumAgain& effect) {
  const int replaced = NumberOf(effect.replaced);
  if (replaced < 0) return;
  Computation computation = world_->history().computations[replaced];
  if (!computation.leases.empty()) computation.leases.pop_back();
  auto& computations = world_->history().computations;
  computations.push_back(std::move(computation));
  Begin(effect.computation, static_cast<int>(computations.size()) - 1, 5);
}

void Trainer::Begin(session::ComputationId id, int number, Millis first) {
  Random& random = world_->random();
  Work work;
  work.number = number;
  if (!world_->history().computations[number].finite) {
    work.bad_chunk = random.Below(world_->plan().chunks);
    work.bad_at_encode = random.Chance(0.3);
  }
  work_[id] = work;
  newest_id_ = id;
  newest_ = number;
  world_->queue().At(world_->now() + first, self_->number(), [this, id] { MakeChunk(id); });
}

void Trainer::MakeChunk(session::ComputationId id) {
  Work& work = work_[id];
  if (work.cancelled || hung_) return;
  const ChunkNumber chunk = world_->plan().chunks - 1 - work.made;
  ++work.made;
  const bool last = work.made == world_->plan().chunks;
  const int64_t samples = SamplesOf(world_->history().computations[work.number].leases);
  const bool finite = chunk != work.bad_chunk || work.bad_at_encode;
  const int slow = static_cast<int>(slow_);
  if (last) {
    world_->After(self_->number(), 1, 10, [this, id] { Finish(id); });
  } else {
    world_->After(self_->number(), 1 + slow, 15 + slow, [this, id] { MakeChunk(id); });
  }
  for (int i = 1; i * 100 < slow; ++i) {
    world_->After(self_->number(), i * 100, i * 100, [this] { tell_(session::ProgressMade{}); });
  }
  tell_(session::GradientChunkReady{id, chunk, samples, finite});
}

void Trainer::Finish(session::ComputationId id) {
  const Work& work = work_[id];
  if (work.cancelled || hung_) return;
  const Computation& computation = world_->history().computations[work.number];
  const bool loss_finite = work.bad_chunk < 0 || world_->random().Chance(0.5);
  tell_(session::ComputeDone{id, SamplesOf(computation.leases), 1.0, loss_finite,
                             computation.leases});
}

void Trainer::Cancel(session::ComputationId computation) {
  auto work = work_.find(computation);
  if (work != work_.end()) work->second.cancelled = true;
}

void Trainer::Encode(const session::EncodeChunk& effect) {
  auto work = work_.find(effect.computation);
  if (work == work_.end() || work->second.dropped) {
    world_->history().Fail("I8", "a gradient is encoded that is not kept");
    return;
  }
  world_->After(self_->number(), 1, 6, [this, effect] {
    if (hung_) return;
    const Work& work = work_[effect.computation];
    const bool finite = effect.chunk != work.bad_chunk;
    const bool empty = effect.samples == 0;
    tell_(session::Encoded{effect.computation, effect.chunk, finite, empty ? 0 : kFrameBytes});
  });
}

void Trainer::Settle(const session::Settle& effect) {
  if (effect.zero_residual) residual_of_.clear();
  // A computation without samples is not known here; its residual stays what it was.
  const int number = NumberOf(effect.computation);
  if (number < 0) return;
  const Computation& computation = world_->history().computations[number];
  if (effect.applied && !computation.leases.empty()) {
    residual_of_.clear();
    const bool lossy = computation.codec != spec::Codec::FP32;
    if (lossy && !effect.zero_residual) residual_of_ = {number};
  }
  DropKept(effect.computation);
}

int Trainer::EmptyComputation(const Report& report) {
  Computation& computation = empty_;
  if (empty_number_ < 0 || computation.label.lineage != report.label.lineage ||
      computation.label.round != report.label.round ||
      computation.incarnation != report.incarnation) {
    computation.member = report.name;
    computation.incarnation = report.incarnation;
    computation.label = report.label;
    world_->history().computations.push_back(computation);
    empty_number_ = static_cast<int>(world_->history().computations.size()) - 1;
  }
  return empty_number_;
}

void Trainer::DropKept(session::ComputationId computation) {
  auto work = work_.find(computation);
  if (work == work_.end()) return;
  if (work->second.dropped) world_->history().Fail("I8", "a kept gradient is dropped twice");
  work->second.dropped = true;
  work->second.cancelled = true;
}

int Trainer::NumberOf(session::ComputationId computation) const {
  auto work = work_.find(computation);
  return work == work_.end() ? -1 : work->second.number;
}

bool Trainer::ChunkFinite(session::ComputationId computation, ChunkNumber chunk) const {
  auto work = work_.find(computation);
  return work != work_.end() && work->second.bad_chunk != chunk;
}

bool Trainer::holds_whole() const {
  auto work = work_.find(newest_id_);
  return work != work_.end() && !work->second.dropped && work->second.made == world_->plan().chunks;
}

}  // namespace tenor::sim

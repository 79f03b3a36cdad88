#include "server/runner/engine.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/check.h"
#include "base/status.h"
#include "ops/codec/codec.h"
#include "ops/codec/elementwise.h"
#include "server/runner/run_paths.h"

namespace tenor {
namespace {

size_t OwnElements(const ParameterSpace& space, int32_t shard, int32_t shards) {
  size_t elements = 0;
  for (size_t chunk = shard; chunk < space.chunks.count(); chunk += shards) {
    elements += space.chunks.Size(chunk);
  }
  return elements;
}

// Where weight decay applies within elements [begin, end) of the vector, relative to begin.
std::vector<DecayRange> DecayWithin(const Layout& layout, size_t begin, size_t end) {
  std::vector<DecayRange> ranges;
  for (const Layout::Tensor& tensor : layout.tensors()) {
    const size_t from = std::max(begin, tensor.offset);
    const size_t to = std::min(end, tensor.offset + tensor.size);
    if (!tensor.decay || from >= to) continue;
    ranges.push_back({from - begin, to - begin});
  }
  return ranges;
}

// The decimal that was configured: 0.9f is 0.9, not 0.89999998.
double DecimalOf(float value) {
  double decimal = value;
  if (absl::SimpleAtod(absl::StrCat(value), &decimal)) return decimal;
  return value;
}

AdamOptions AdamOptionsOf(const spec::AdamSpec& adam) {
  return {.beta1 = DecimalOf(adam.beta1()),
          .beta2 = DecimalOf(adam.beta2()),
          .epsilon = DecimalOf(adam.epsilon()),
          .weight_decay = DecimalOf(adam.weight_decay()),
          .bias_correction = adam.bias_correction()};
}

shard::LoadFailed Failed(OperationId operation, const absl::Status& status) {
  const LoadErrorKind kind =
      absl::IsDataLoss(status) ? LoadErrorKind::kDamaged : LoadErrorKind::kOther;
  return {operation, kind, std::string(status.message())};
}

}  // namespace

// Runs `last` when all parts have ended.
class Engine::Countdown {
 public:
  Countdown(size_t parts, std::function<void()> last) : left_(parts), last_(std::move(last)) {}
  void End() {
    if (left_.fetch_sub(1) == 1) last_();
  }

 private:
  std::atomic<size_t> left_;
  const std::function<void()> last_;
};

Engine::Engine(Options options, ParameterSpace space, FileSystem& files, Done done)
    : options_(std::move(options)),
      space_(std::move(space)),
      files_(files),
      done_(std::move(done)),
      checkpoints_(files, options_.identity.run_folder),
      pool_(options_.threads) {
  const size_t elements = OwnElements(space_, options_.identity.shard, options_.identity.shards);
  for (std::vector<float>* part : {&masters_, &m_, &v_, &sums_}) part->resize(elements);
  size_t at = 0;
  for (size_t chunk = options_.identity.shard; chunk < space_.chunks.count();
       chunk += options_.identity.shards) {
    const size_t begin = space_.chunks.Begin(chunk);
    const size_t size = space_.chunks.Size(chunk);
    const auto part = [&](std::vector<float>& all) { return std::span(all).subspan(at, size); };
    pieces_.push_back({static_cast<ChunkNumber>(chunk), part(masters_), part(m_), part(v_),
                       part(sums_), DecayWithin(space_.layout, begin, begin + size)});
    at += size;
  }
}

Engine::~Engine() {
  pool_.Stop();
  disk_.Stop();
}

uint64_t Engine::BytesNeeded(const ParameterSpace& space, int32_t shard, int32_t shards) {
  return uint64_t{4} * sizeof(float) * OwnElements(space, shard, shards);
}

Engine::Piece& Engine::piece(ChunkNumber chunk) {
  const size_t index = chunk / options_.identity.shards;
  CHECK_LT(index, pieces_.size());
  CHECK_EQ(pieces_[index].chunk, chunk);
  return pieces_[index];
}

std::vector<ChunkState<float>> Engine::States() {
  std::vector<ChunkState<float>> states;
  for (const Piece& one : pieces_) states.push_back({one.chunk, one.weight, one.m, one.v});
  return states;
}

std::vector<ChunkState<const float>> Engine::ConstStates() {
  std::vector<ChunkState<const float>> states;
  for (const Piece& one : pieces_) states.push_back({one.chunk, one.weight, one.m, one.v});
  return states;
}

ShardFileIdentity Engine::IdentityOf(const CheckpointName& checkpoint) const {
  ShardFileIdentity identity = options_.identity;
  identity.checkpoint = checkpoint;
  return identity;
}

void Engine::ForEachPiece(std::function<void(Piece&)> work, shard::Event last) {
  if (pieces_.empty()) {
    done_(std::move(last));
    return;
  }
  auto countdown =
      std::make_shared<Countdown>(pieces_.size(), [this, last = std::move(last)] { done_(last); });
  auto shared_work = std::make_shared<std::function<void(Piece&)>>(std::move(work));
  for (Piece& one : pieces_) {
    pool_.Post([countdown, shared_work, &one] {
      (*shared_work)(one);
      countdown->End();
    });
  }
}

// ---------------------------------------------------------------- sums and updates

void Engine::StartReduce(const shard::StartReduce& order, Payload contribution) {
  pool_.Post(
      [this, order, contribution = std::move(contribution)] { Reduce(order, contribution); });
}

void Engine::Reduce(const shard::StartReduce& order, const Payload& contribution) {
  Piece& one = piece(order.chunk);
  absl::Status decoded;
  if (contribution.size() != 0) {
    const auto codec = static_cast<CodecId>(order.codec);
    decoded = order.first ? Decode(codec, contribution.bytes(), one.sum)
                          : DecodeAdd(codec, contribution.bytes(), one.sum);
  }
  if (order.first && (contribution.size() == 0 || !decoded.ok())) {
    std::fill(one.sum.begin(), one.sum.end(), 0.0f);
  }
  shard::ReduceDone done{order.operation, decoded.ok(), 0};
  // What is not finite stays so in every later addition: one pass at the end finds it.
  if (order.last) {
    done.square_sum = SumOfSquares(one.sum);
    if (!std::isfinite(done.square_sum)) done.finite = false;
  }
  done_(done);
}

void Engine::StartNorms(const shard::StartNorms& order) {
  // Adam has no norms of its own: the phase is for optimizers with trust ratios.
  pool_.Post([this, operation = order.operation] { done_(shard::NormsDone{operation, {}}); });
}

void Engine::StartApply(const shard::StartApply& order) {
  const Finish& finish = order.finish;
  const AdamOptions adam = AdamOptionsOf(options_.optimizer.adam());
  const auto rate = static_cast<float>(finish.learning_rate);
  const auto multiplier = static_cast<float>(finish.coefficient / finish.divisor);
  const int64_t count = std::max<int64_t>(finish.update_count, 1);
  ForEachPiece(
      [adam, rate, multiplier, count](Piece& one) {
        AdamStep(adam, count, rate, multiplier, one.sum, one.decay, one.weight, one.m, one.v);
      },
      shard::ApplyDone{order.operation});
}

// ---------------------------------------------------------------- payloads

void Engine::StartEncode(const shard::StartEncode& order) {
  auto bytes = std::make_shared<std::vector<std::byte>>();
  payloads_[order.payload] = Encoded{bytes};
  pool_.Post([this, order, bytes] {
    // Without a residual the codec leaves its input as it is.
    Encode(static_cast<CodecId>(order.codec), piece(order.chunk).weight, {}, 1, 0, bytes.get());
    done_(shard::EncodeDone{order.operation});
  });
}

Payload Engine::payload(shard::PayloadId id) const {
  const auto found = payloads_.find(id);
  CHECK(found != payloads_.end()) << "payload " << id.value;
  return Payload(found->second.bytes, *found->second.bytes);
}

void Engine::DropPayload(shard::PayloadId id) { payloads_.erase(id); }

// ---------------------------------------------------------------- checkpoints

void Engine::StartSnapshot(const shard::StartSnapshot& order) {
  disk_.Post([this, order] {
    const absl::Status status = Snapshot(order.checkpoint);
    if (!status.ok()) {
      snapshots_.erase(order.checkpoint);
      DeleteShardFile(files_, IdentityOf(order.checkpoint)).IgnoreError();
    }
    done_(shard::SnapshotDone{order.operation, std::string(status.message())});
  });
}

absl::Status Engine::Snapshot(const CheckpointName& checkpoint) {
  const std::vector<ChunkState<const float>> states = ConstStates();
  TENOR_ASSIGN_OR_RETURN(snapshots_[checkpoint],
                         ShardFileWriter::Create(files_, IdentityOf(checkpoint), states));
  return snapshots_[checkpoint]->Write(states);
}

void Engine::StartSave(const shard::StartSave& order) {
  disk_.Post([this, order] { Save(order); });
}

void Engine::Save(const shard::StartSave& order) {
  const auto found = snapshots_.find(order.checkpoint);
  if (found == snapshots_.end()) {
    done_(shard::SaveFailed{
        order.operation,
        absl::StrCat("no snapshot of ", CheckpointDirectoryName(order.checkpoint))});
    return;
  }
  const absl::StatusOr<SavedFile> saved = found->second->Commit();
  snapshots_.erase(found);
  if (saved.ok()) {
    done_(shard::SaveDone{order.operation, *saved});
    return;
  }
  DeleteShardFile(files_, IdentityOf(order.checkpoint)).IgnoreError();
  done_(shard::SaveFailed{order.operation, std::string(saved.status().message())});
}

void Engine::DeleteFile(const shard::DeleteFile& order) {
  disk_.Post([this, order] {
    snapshots_.erase(order.checkpoint);
    // What cannot be deleted is an unfinished save that the next pruning meets again.
    DeleteShardFile(files_, IdentityOf(order.checkpoint)).IgnoreError();
  });
}

void Engine::StartLoad(const shard::StartLoad& order) {
  if (order.base == CheckpointName()) {
    LoadInitial(order);
  } else {
    disk_.Post([this, order] { Load(order); });
  }
}

void Engine::LoadInitial(const shard::StartLoad& order) {
  ForEachPiece(
      [this](Piece& one) {
        space_.initial(space_.chunks.Begin(one.chunk), one.weight);
        std::fill(one.m.begin(), one.m.end(), 0.0f);
        std::fill(one.v.begin(), one.v.end(), 0.0f);
      },
      shard::LoadDone{order.operation});
}

void Engine::Load(const shard::StartLoad& order) {
  const absl::Status status = LoadCheckpoint(order.base);
  if (status.ok()) {
    done_(shard::LoadDone{order.operation});
  } else {
    done_(Failed(order.operation, status));
  }
}

absl::Status Engine::LoadCheckpoint(const CheckpointName& base) {
  TENOR_ASSIGN_OR_RETURN(const spec::Manifest manifest, checkpoints_.ReadManifest(base));
  const std::string folder = CheckpointFolder(options_.identity.run_folder, base);
  if (manifest.layout_hash() != space_.layout.Hash()) {
    return absl::FailedPreconditionError(
        absl::StrCat(folder, " has the layout hash ", absl::Hex(manifest.layout_hash()),
                     ", the job's model has ", absl::Hex(space_.layout.Hash())));
  }
  if (static_cast<size_t>(manifest.chunk_elements()) != space_.chunks.chunk_elements()) {
    return absl::FailedPreconditionError(
        absl::StrCat(folder, " has chunks of ", manifest.chunk_elements(), " elements, the job of ",
                     space_.chunks.chunk_elements()));
  }
  return LoadChunks(files_, folder, manifest, States());
}

}  // namespace tenor

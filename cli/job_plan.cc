#include "cli/job_plan.h"

#include <algorithm>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/status.h"
#include "cli/printable.h"
#include "model/job_model.h"
#include "nlohmann/json.hpp"
#include "ops/codec/codec.h"
#include "proto/text_segments.h"

namespace tenor {
namespace {

constexpr int64_t kMaxProcesses = 100000;
// Default of the servers: what one member may have waiting at one shard.
constexpr int64_t kPushCreditBytes = int64_t{64} << 20;
constexpr int64_t kServerBytesPerParameter = 16;

int64_t EncodedBytes(const ChunkTable& chunks, spec::Codec::Id id) {
  const auto codec = static_cast<CodecId>(id);
  const size_t whole = chunks.count() - 1;
  return static_cast<int64_t>(whole * EncodedSize(codec, chunks.chunk_elements()) +
                              EncodedSize(codec, chunks.Size(whole)));
}

// Elements on the server that owns most: number 0, unless the short last chunk is its own.
int64_t LargestShare(const ChunkTable& chunks, int64_t servers) {
  int64_t largest = 0;
  for (int64_t server = 0; server < std::min<int64_t>(servers, 2); ++server) {
    int64_t elements = 0;
    for (size_t chunk = static_cast<size_t>(server); chunk < chunks.count();
         chunk += static_cast<size_t>(servers)) {
      elements += static_cast<int64_t>(chunks.Size(chunk));
    }
    largest = std::max(largest, elements);
  }
  return largest;
}

absl::Status CheckCount(const char* flag, int64_t value) {
  if (value >= 1 && value <= kMaxProcesses) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(flag, " is ", value, "; allowed are 1 to ", kMaxProcesses));
}

std::string Line(const char* name, int64_t bytes, const char* what) {
  return absl::StrFormat("# %-18s %s: %s\n", name, BytesText(static_cast<double>(bytes)), what);
}

}  // namespace

absl::StatusOr<JobPlan> PlanJob(const spec::JobSpec& job, int64_t servers, int64_t workers) {
  TENOR_RETURN_IF_ERROR(CheckCount("--servers", servers));
  TENOR_RETURN_IF_ERROR(CheckCount("--workers", workers));
  TENOR_ASSIGN_OR_RETURN(const JobModel model, JobModel::Create(job));
  const spec::Tunables& tunables = job.tunables();
  const int lanes = job.batch().micro_batch();
  const int window = job.batch().window();
  JobPlan plan;
  plan.servers = static_cast<int>(servers);
  plan.workers = static_cast<int>(workers);
  plan.parameters = static_cast<int64_t>(model.layout().size());
  plan.chunks = static_cast<int64_t>(model.chunks().count());
  plan.chunk_elements = static_cast<int64_t>(model.chunks().chunk_elements());
  if (job.data().text().bytes() > 1) plan.segments = SegmentCount(job.data().text());
  plan.samples_per_update = workers * tunables.accumulation_steps() * lanes * window;
  plan.push_per_worker = EncodedBytes(model.chunks(), tunables.push_codec());
  plan.pull_per_worker = EncodedBytes(model.chunks(), tunables.pull_codec());
  const int64_t share = LargestShare(model.chunks(), servers);
  plan.server_state = kServerBytesPerParameter * share;
  plan.server_waiting = 2 * 4 * share + workers * std::min(kPushCreditBytes, 4 * share);
  plan.worker_flat = 2 * 4 * plan.parameters + plan.push_per_worker;
  plan.worker_model = static_cast<int64_t>(model.TrainingBytes(lanes, window));
  return plan;
}

std::string PlanText(const JobPlan& plan) {
  std::string text = absl::StrFormat(
      "# parameters         %d in %d chunks of %d elements\n"
      "# data               %s\n"
      "# an update          %d samples, from %d workers over %d servers\n",
      plan.parameters, plan.chunks, plan.chunk_elements,
      plan.segments > 0 ? absl::StrCat(plan.segments, " segments")
                        : std::string("size unknown until the folder is looked up"),
      plan.samples_per_update, plan.workers, plan.servers);
  absl::StrAppend(
      &text, Line("each server", plan.server_state, "masters, moments and sums"),
      Line("", plan.server_waiting, "at most: payloads of two versions, waiting contributions"),
      Line("each worker", plan.worker_flat, "weights, gradient, encoded gradient"),
      Line("", plan.worker_model, "compute weights and activations"),
      Line("push an update", plan.push_per_worker, "from each worker"),
      Line("pull an update", plan.pull_per_worker, "to each worker"),
      Line("network an update", plan.workers * (plan.push_per_worker + plan.pull_per_worker),
           "of the whole cluster"));
  return text;
}

std::string PlanJson(const JobPlan& plan) {
  const nlohmann::ordered_json json = {{"servers", plan.servers},
                                       {"workers", plan.workers},
                                       {"parameters", plan.parameters},
                                       {"chunks", plan.chunks},
                                       {"chunk_elements", plan.chunk_elements},
                                       {"segments", plan.segments},
                                       {"samples_per_update", plan.samples_per_update},
                                       {"server_state_bytes", plan.server_state},
                                       {"server_waiting_bytes", plan.server_waiting},
                                       {"worker_flat_bytes", plan.worker_flat},
                                       {"worker_model_bytes", plan.worker_model},
                                       {"push_bytes_per_worker", plan.push_per_worker},
                                       {"pull_bytes_per_worker", plan.pull_per_worker}};
  return json.dump();
}

}  // namespace tenor

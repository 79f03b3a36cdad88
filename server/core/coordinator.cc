#include "server/core/coordinator.h"

#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "base/status.h"
#include "server/core/coordinator_machine.h"
#include "server/core/data_shape.h"
#include "server/core/schedule.h"
#include "server/core/tunables.h"

namespace tenor {

absl::Status CheckConfig(const CoordinatorConfig& config) {
  if (config.shards < 1 || config.chunks < 1 || config.tensors < 0) {
    return absl::InvalidArgumentError(absl::StrCat("a run of ", config.shards, " servers, ",
                                                   config.chunks, " chunks, ", config.tensors,
                                                   " tensors: at least one server and chunk"));
  }
  const spec::Tunables tunables = WithDefaults(config.job.tunables());
  TENOR_RETURN_IF_ERROR(CheckTunables(config.job.tunables()));
  TENOR_RETURN_IF_ERROR(CheckSchedule(config.job.schedule(), config.job.stop()));
  return CheckDataShape(DataShapeOf(config.job),
                        DealShapeOf(config.job, tunables.accumulation_steps()));
}

Coordinator::Coordinator(CoordinatorConfig config)
    : machine_(std::make_unique<Machine>(std::move(config))) {}
Coordinator::~Coordinator() = default;

std::vector<Effect> Coordinator::Start() {
  machine_->Start();
  return machine_->TakeEffects();
}

std::vector<Effect> Coordinator::Handle(absl::Duration now, const Event& event) {
  if (machine_->exited()) return {};
  machine_->Advance(now);
  std::visit([this](const auto& x) { machine_->On(x); }, event);
  return machine_->TakeEffects();
}

CoordinatorStatus Coordinator::Describe() const { return machine_->Describe(); }

}  // namespace tenor

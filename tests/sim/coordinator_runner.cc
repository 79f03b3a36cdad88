#include "tests/sim/coordinator_runner.h"

#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "server/core/base_choice.h"
#include "server/core/prune.h"
#include "tests/sim/job.h"
#include "tests/sim/manifest_oracle.h"
#include "tests/sim/server_process.h"
#include "tests/sim/worker_process.h"
#include "tests/sim/world.h"

namespace tenor::sim {

CoordinatorRunner::CoordinatorRunner(World* world, Process* self)
    : world_(world),
      self_(self),
      coordinator_(CoordinatorConfigOf(world->plan(), self->number())) {}

void CoordinatorRunner::Start() { RunAll(coordinator_.Start()); }

void CoordinatorRunner::Tick() { Step(tenor::Tick{}); }

void CoordinatorRunner::FromWorker(StreamNumber stream, const WorkerMessage& message,
                                   int computation) {
  if (const auto* report = std::get_if<Report>(&message)) {
    world_->rounds().OnReport(*report, computation);
  }
  Step(WorkerSays{{stream}, absl::StrCat("process ", world_->streams().client(stream)), message});
}

void CoordinatorRunner::FromShard(StreamNumber stream, const Status& status) {
  Step(ShardSays{{stream}, status});
}

void CoordinatorRunner::StreamLost(StreamNumber stream) {
  if (world_->streams().kind(stream) == StreamKind::kWorkerControl) {
    Step(WorkerStreamClosed{{stream}});
  } else {
    Step(ShardStreamClosed{{stream}});
  }
}

void CoordinatorRunner::Operate(const Event& request) {
  if (const auto* set = std::get_if<SetTunables>(&request)) {
    requests_[set->request] = *set;
  }
  Step(request);
}

void CoordinatorRunner::Step(const Event& event) {
  RunAll(coordinator_.Handle(self_->Clock(world_->now()), event));
}

void CoordinatorRunner::RunAll(const std::vector<Effect>& effects) {
  ObserveDecisions(effects);
  ObserveOpenings(effects);
  for (const Effect& effect : effects) {
    if (!self_->alive()) return;
    std::visit([this](const auto& e) { Run(e); }, effect);
  }
}

void CoordinatorRunner::ObserveDecisions(const std::vector<Effect>& effects) {
  for (const Effect& effect : effects) {
    if (const auto* done = std::get_if<StepDone>(&effect)) ObserveVerdict(*done);
    if (const auto* reply = std::get_if<Reply>(&effect)) ObserveReply(*reply);
  }
}

void CoordinatorRunner::ObserveOpenings(const std::vector<Effect>& effects) {
  for (const Effect& effect : effects) {
    bool fresh = false;
    if (const auto* order = std::get_if<ToShard>(&effect)) {
      if (const auto* open = std::get_if<Open>(&order->message)) {
        fresh = world_->rounds().OnOpen(*open);
      } else if (const auto* finish = std::get_if<Finish>(&order->message)) {
        world_->rounds().OnFinish(*finish);
      }
    } else if (const auto* told = std::get_if<ToWorker>(&effect)) {
      if (const auto* directive = std::get_if<Directive>(&told->message)) {
        fresh = world_->rounds().OnDirective(*directive);
      }
    }
    if (fresh) ++world_->figures().views;
  }
}

void CoordinatorRunner::ObserveVerdict(const StepDone& done) {
  world_->rounds().OnVerdict(done);
  world_->ledger().Commit(world_->history().verdicts[{done.label.lineage, done.label.round}]);
  Figures& figures = world_->figures();
  switch (done.verdict) {
    case VerdictKind::kApply:
      ++figures.applies;
      break;
    case VerdictKind::kSkip:
      ++figures.skips;
      break;
    case VerdictKind::kDrop:
      ++figures.drops;
      break;
    case VerdictKind::kVoid:
      ++figures.voids;
      break;
  }
  if (world_->tracing()) {
    constexpr const char* kNames[] = {"apply", "skip", "drop", "void"};
    world_->Say(absl::StrCat("verdict ", kNames[static_cast<int>(done.verdict)], " ",
                             ToString(done.label), " version ", done.version));
  }
}

void CoordinatorRunner::ObserveReply(const Reply& reply) {
  auto request = requests_.find(reply.request);
  if (request == requests_.end() || !reply.status.ok()) return;
  world_->rounds().OnAccepted(lineage_, request->second.change, request->second.at_step);
  requests_.erase(request);
}

void CoordinatorRunner::Later(int low, int high, Event event) {
  world_->After(self_->number(), low, high, [this, event = std::move(event)] { Step(event); });
}

// ---------------------------------------------------------------- messages

void CoordinatorRunner::Run(const ToWorker& effect) {
  if (const auto* done = std::get_if<Done>(&effect.message)) {
    if (!CheckEnd(*done)) world_->DeclareStop();
  }
  const StreamNumber stream = effect.connection.value;
  WorkerProcess* worker = world_->worker(world_->streams().client(stream));
  world_->streams().SendToClient(stream, [worker, stream, message = effect.message] {
    worker->FromCoordinator(stream, message);
  });
}

void CoordinatorRunner::Run(const ToShard& effect) {
  if (const auto* done = std::get_if<Done>(&effect.message)) CheckEnd(*done);
  const StreamNumber stream = effect.connection.value;
  ServerProcess* server = world_->server(world_->streams().client(stream));
  world_->streams().SendToClient(stream, [server, stream, message = effect.message] {
    server->shard().FromCoordinator(stream, message);
  });
}

// ---------------------------------------------------------------- claims

void CoordinatorRunner::Run(const ClaimLineage& effect) {
  world_->After(self_->number(), 5, 60, [this, effect] {
    const Lineage lineage = world_->disk().CreateClaim();
    world_->MaybeStrike(self_->number());
    world_->After(self_->number(), 5, 40, [this, effect, lineage] {
      ChooseAndClaim(effect.operation, lineage, effect.initial);
    });
  });
}

void CoordinatorRunner::ChooseAndClaim(OperationId operation, Lineage lineage,
                                       const spec::Tunables& initial) {
  Disk& disk = world_->disk();
  Claimed claimed;
  claimed.operation = operation;
  claimed.lineage = lineage;
  auto choice = ChooseBase(disk.OtherClaims(lineage), disk.Checkpoints(), initial);
  if (!choice.ok()) {
    claimed.error = choice.status();
    Later(1, 20, claimed);
    return;
  }
  claimed.base = choice->base;
  claimed.tunables = choice->tunables;
  if (claimed.base.lineage != 0) {
    claimed.record = disk.FindManifest(claimed.base)->record;
  }
  world_->After(self_->number(), 5, 40, [this, claimed] { FinishClaim(claimed); });
}

void CoordinatorRunner::FinishClaim(const Claimed& claimed) {
  world_->disk().WriteClaim(claimed.lineage, claimed.base, claimed.tunables);
  world_->MaybeStrike(self_->number());
  world_->rounds().OnClaimed(claimed.lineage, claimed.base, claimed.tunables);
  world_->ledger().Begin(claimed.lineage, claimed.base);
  ++world_->figures().lineages;
  lineage_ = claimed.lineage;
  if (world_->tracing()) {
    world_->Say(absl::StrCat("process ", self_->number(), " claims lineage ", claimed.lineage,
                             " on base ", claimed.base.lineage, ".", claimed.base.round,
                             " version ", claimed.base.version));
  }
  Later(1, 20, claimed);
}

void CoordinatorRunner::Run(const ReadClaim& effect) {
  world_->After(self_->number(), 1, 40, [this, effect] {
    world_->MaybeStrike(self_->number());
    Later(1, 60, ClaimRead{effect.operation, absl::OkStatus(), world_->disk().newest_claim()});
  });
}

void CoordinatorRunner::Run(const WriteTunables& effect) {
  world_->After(self_->number(), 5, 100, [this, effect] {
    world_->disk().WriteClaim(effect.lineage, effect.base, effect.tunables);
    world_->MaybeStrike(self_->number());
    Later(1, 40, TunablesWritten{effect.operation, absl::OkStatus()});
  });
}

// ---------------------------------------------------------------- checkpoints

void CoordinatorRunner::Run(const WriteManifest& effect) {
  world_->After(self_->number(), 5, 200, [this, effect] {
    if (world_->faulty() && world_->random().Chance(world_->plan().save_failure)) {
      Later(1, 20, ManifestWritten{effect.operation, absl::UnavailableError("disk")});
      return;
    }
    CommitManifest(effect);
    world_->MaybeStrike(self_->number());
    Later(1, 60, ManifestWritten{effect.operation, absl::OkStatus()});
  });
}

void CoordinatorRunner::CommitManifest(const WriteManifest& effect) {
  sim::CheckManifest(world_, effect);
  world_->disk().WriteManifest({effect.checkpoint, effect.record, effect.files});
  ++world_->figures().checkpoints;
  if (world_->tracing()) {
    world_->Say(absl::StrCat("checkpoint ", effect.checkpoint.lineage, ".", effect.checkpoint.round,
                             " version ", effect.checkpoint.version,
                             effect.record.ended() ? " ended" : ""));
  }
}

void CoordinatorRunner::Run(const RenameDamaged& effect) {
  world_->After(self_->number(), 5, 40, [this, effect] {
    world_->disk().RenameDamaged(effect.checkpoint);
    ++world_->figures().damaged_loads;
    Later(1, 20, DamagedRenamed{effect.operation, absl::OkStatus()});
  });
}

void CoordinatorRunner::Run(const Prune& effect) {
  world_->After(self_->number(), 1, 40, [this, effect] {
    const auto complete = world_->disk().CompleteCheckpoints();
    for (const CheckpointName& name : CheckpointsToDelete(complete, effect)) {
      if (world_->tracing()) world_->Say(absl::StrCat("prune ", name.lineage, ".", name.round));
      world_->disk().Delete(name);
    }
  });
}

// ---------------------------------------------------------------- the rest

void CoordinatorRunner::Run(const Note& effect) {
  if (!world_->tracing()) return;
  world_->Say(absl::StrCat("note ", effect.kind, " ", effect.who, ": ", effect.reason, " ",
                           effect.detail, " at ", ToString(effect.label)));
}

void CoordinatorRunner::Run(const Exit& effect) {
  if (world_->tracing()) {
    world_->Say(absl::StrCat("process ", self_->number(), ": coordinator exits ", effect.code, ": ",
                             effect.sentence));
  }
  world_->Exit(self_->number());
}

bool CoordinatorRunner::CheckEnd(const Done& done) {
  const bool ended = EndIsDurable(world_, done.lineage);
  if (ended) {
    CheckComplete(world_, done.lineage);
    world_->DeclareEnd(done.lineage);
  } else {
    CheckStopIsDurable(world_, done.lineage);
  }
  return ended;
}

}  // namespace tenor::sim

#include "tests/sim/faults.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "tests/sim/job.h"
#include "tests/sim/server_process.h"
#include "tests/sim/worker_process.h"

namespace tenor::sim {

void Faults::Schedule() {
  const Plan& plan = world_->plan();
  if (plan.mix == FaultMix::kNone) return;
  Millis time = plan.fault_from;
  while (time < plan.fault_until) {
    world_->queue().At(time, 0, [this] { Once(); });
    time += 1 + Draw(static_cast<int>(plan.fault_gap * 2));
  }
}

void Faults::Once() {
  // Places on the menu: below 30 workers, to 60 servers, above both.
  int choice = Draw(100);
  if (world_->plan().mix == FaultMix::kWorkersOnly) choice = Draw(48);
  if (world_->plan().mix == FaultMix::kServersOnly) choice = 48 + Draw(42);
  DisturbAll(choice);
}

void Faults::DisturbAll(int choice) {
  if (choice < 16) return CrashWorker();
  if (choice < 20) return CrashWorkerAfterReport();
  if (choice < 28) return DoubleWorker();
  if (choice < 35) return ResetControlStream();
  if (choice < 40) return HangTrainer();
  if (choice < 43) return Leave();
  if (choice < 48) return LoseLocalWorker();
  if (choice < 54) return CrashServer();
  if (choice < 56) return TerminateServer();
  if (choice < 58) return CrashAllServers();
  if (choice < 63) return DoubleServer();
  if (choice < 67) return DamageCheckpoint();
  if (choice < 80) return PauseAnyone();
  if (choice < 90) return Operate();
  return choice < 95 ? CrashWorker() : PauseAnyone();
}

ProcessNumber Faults::AnyWorker() {
  const auto live = world_->Live(Role::kWorker, Draw(world_->plan().workers));
  return live.empty() ? 0 : live.back();
}

// ---------------------------------------------------------------- workers

void Faults::CrashWorker() {
  const ProcessNumber victim = AnyWorker();
  if (victim == 0) return;
  world_->Kill(victim, world_->random().Chance(0.7));
  world_->Restart(Role::kWorker, world_->process(victim).index(), 10,
                  world_->random().Chance(0.5) ? 100 : 2500);
}

void Faults::CrashWorkerAfterReport() {
  const int index = Draw(world_->plan().workers);
  for (const ProcessNumber number : world_->Live(Role::kWorker, index)) {
    const Millis reported = world_->worker(number)->reported();
    if (reported != 0 && world_->now() - reported < 100) {
      world_->Kill(number, true);
      world_->Restart(Role::kWorker, index, 10, 300);
      return;
    }
  }
  if (world_->now() > world_->plan().fault_until) return;
  world_->After(0, 10, 10, [this] { CrashWorkerAfterReport(); });
}

void Faults::DoubleWorker() {
  const ProcessNumber old = AnyWorker();
  if (old == 0 || world_->process(old).paused()) return;
  world_->Pause(old, world_->random().Range(300, 3000));
  world_->Spawn(Role::kWorker, world_->process(old).index());
}

void Faults::ResetControlStream() {
  const ProcessNumber number = AnyWorker();
  if (number == 0) return;
  const StreamNumber stream = world_->worker(number)->control_stream();
  if (stream != 0) world_->streams().Reset(stream);
}

void Faults::HangTrainer() {
  const ProcessNumber number = AnyWorker();
  if (number == 0) return;
  world_->worker(number)->trainer().Hang();
  if (world_->tracing()) world_->Say(absl::StrCat("process ", number, " hangs"));
}

void Faults::Leave() {
  const ProcessNumber number = AnyWorker();
  if (number == 0 || world_->process(number).paused()) return;
  world_->worker(number)->AskToLeave();
}

void Faults::LoseLocalWorker() {
  // Workers with an odd index are node aggregators.
  for (int index = 1; index < world_->plan().workers; index += 2) {
    for (const ProcessNumber number : world_->Live(Role::kWorker, index)) {
      if (!world_->process(number).paused()) world_->worker(number)->LoseLocalWorker();
    }
  }
}

// ---------------------------------------------------------------- servers

void Faults::CrashServer() {
  const int index = Draw(world_->plan().shards);
  const auto live = world_->Live(Role::kServer, index);
  if (live.empty()) return;
  world_->Kill(live.back(), world_->random().Chance(0.7));
  world_->Restart(Role::kServer, index, 10, 1500);
}

void Faults::TerminateServer() {
  const auto live = world_->Live(Role::kServer, Draw(world_->plan().shards));
  if (live.empty() || world_->process(live.back()).paused()) return;
  world_->server(live.back())->shard().AskToLeave();
}

void Faults::CrashAllServers() {
  for (int index = 0; index < world_->plan().shards; ++index) {
    for (const ProcessNumber number : world_->Live(Role::kServer, index)) {
      world_->Kill(number, world_->random().Chance(0.7));
    }
    world_->Restart(Role::kServer, index, 10, 1500);
  }
}

void Faults::DoubleServer() {
  const int index = Draw(world_->plan().shards);
  const auto live = world_->Live(Role::kServer, index);
  if (live.size() != 1 || world_->process(live[0]).paused()) return;
  world_->Pause(live[0], world_->random().Range(500, 3000));
  world_->Spawn(Role::kServer, index);
}

void Faults::DamageCheckpoint() {
  // One at a time, and only where something older of the same lineage is left to go back to.
  const auto complete = world_->disk().CompleteCheckpoints();
  if (complete.size() < 2 || world_->disk().any_damage()) return;
  const CheckpointName& newest = complete.back();
  const CheckpointName& older = complete[complete.size() - 2];
  if (older.lineage != newest.lineage && older != world_->history().bases[newest.lineage]) return;
  if (world_->disk().FindManifest(newest)->record.ended()) return;
  world_->disk().Damage(newest, Draw(world_->plan().shards));
  CrashServer();
}

// ---------------------------------------------------------------- both

void Faults::PauseAnyone() {
  const ProcessNumber number = world_->random().Range(1, world_->process_count());
  const Process& target = world_->process(number);
  const FaultMix mix = world_->plan().mix;
  if (mix == FaultMix::kServersOnly && target.role() != Role::kServer) return;
  world_->Pause(number, world_->random().Range(100, 4000));
}

void Faults::Operate() {
  const ProcessNumber number = world_->ResolveServer(0);
  if (number == 0 || world_->process(number).paused()) return;
  CoordinatorRunner* coordinator = world_->server(number)->coordinator();
  const RequestId request{++requests_};
  const int choice = Draw(20);
  if (choice < 3) return coordinator->Operate(CheckpointNow{request});
  if (choice == 3) return coordinator->Operate(StopRun{request, "the operator stops it"});
  if (choice == 4) {
    return coordinator->Operate(EvictMember{request, WorkerName(Draw(world_->plan().workers))});
  }
  SetSomething(coordinator);
}

void Faults::SetSomething(CoordinatorRunner* coordinator) {
  Random& random = world_->random();
  const int workers = world_->plan().workers;
  SetTunables set;
  set.request = {requests_};
  set.change.set_accumulation_steps(random.Range(1, 4));
  if (random.Chance(0.7)) {
    set.change.set_push_codec(random.Chance(0.5) ? spec::Codec::FP16 : spec::Codec::FP32);
  }
  if (random.Chance(0.7)) set.change.set_checkpoint_every(random.Range(2, 6));
  if (random.Chance(0.1)) set.change.set_pause(random.Chance(0.5));
  set.change.set_min_workers(random.Chance(0.2) ? random.Range(1, workers + 1) : 1);
  if (random.Chance(0.3)) set.at_step = coordinator->Describe().version + random.Range(0, 4);
  coordinator->Operate(set);
}

// ---------------------------------------------------------------- the end of faults

namespace {

void Supervise(World* world) {
  if (world->ended() != 0) return;
  for (int k = 0; k < world->plan().shards; ++k) {
    if (world->Live(Role::kServer, k).empty()) world->Spawn(Role::kServer, k);
  }
  for (int w = 0; w < world->plan().workers; ++w) {
    if (world->Live(Role::kWorker, w).empty()) world->Spawn(Role::kWorker, w);
  }
  world->After(0, 500, 500, [world] { Supervise(world); });
}

void RepeatMinWorkers(World* world) {
  if (world->ended() != 0) return;
  const ProcessNumber number = world->ResolveServer(0);
  if (number != 0) {
    SetTunables set;
    set.request = {1000000 + static_cast<uint64_t>(world->now())};
    set.change.set_min_workers(1);
    set.change.set_pause(false);
    world->server(number)->coordinator()->Operate(set);
  }
  world->After(0, 3000, 3000, [world] { RepeatMinWorkers(world); });
}

void LeaveOneOfEach(World* world) {
  for (int k = 0; k < world->plan().shards; ++k) {
    auto live = world->Live(Role::kServer, k);
    for (size_t i = 0; i + 1 < live.size(); ++i) world->Kill(live[i], true);
  }
  for (int w = 0; w < world->plan().workers; ++w) {
    for (const ProcessNumber number : world->Live(Role::kWorker, w)) {
      if (world->worker(number)->trainer().hung()) world->Kill(number, true);
    }
  }
}

}  // namespace

void Heal(World* world) {
  world->set_faulty(false);
  NetworkFaults calm;
  calm.delay_max = world->plan().network.delay_max;
  world->network().set_faults(calm);
  world->After(0, 4500, 4500, [world] {
    LeaveOneOfEach(world);
    Supervise(world);
    world->After(0, 3000, 3000, [world] { RepeatMinWorkers(world); });
  });
}

}  // namespace tenor::sim

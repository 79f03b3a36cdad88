#include "server/runner/coordinator_runner.h"

#include <utility>
#include <variant>

#include "absl/time/time.h"

namespace tenor {

CoordinatorRunner::CoordinatorRunner(Options options, const Clock& clock, FileSystem& files,
                                     Journal& journal)
    : options_(std::move(options)),
      clock_(clock),
      journal_(journal),
      claims_(files, options_.run_folder),
      checkpoints_(files, options_.run_folder),
      coordinator_(options_.config),
      view_{coordinator_.Describe(), absl::ZeroDuration(), absl::InfinitePast(),
            absl::InfinitePast()},
      published_(std::make_shared<RunView>(view_)),
      loop_(clock, options_.config.tick) {}

CoordinatorRunner::~CoordinatorRunner() { Stop(); }

void CoordinatorRunner::Start() {
  loop_.Post([this] { CarryOut(coordinator_.Start()); });
  loop_.Start([this] {
    Handle(Tick());
    UpdateView();
  });
}

void CoordinatorRunner::Stop() {
  loop_.Stop();
  disk_.Stop();
}

// ---------------------------------------------------------------- streams

ConnectionId CoordinatorRunner::AttachWorker(absl::string_view peer, SendToWorker send) {
  const ConnectionId connection{++next_connection_};
  workers_.Add(connection.value, std::string(peer), std::move(send));
  return connection;
}

void CoordinatorRunner::Receive(ConnectionId connection, WorkerMessage message) {
  Post(WorkerSays{connection, workers_.Peer(connection.value), std::move(message)});
}

ConnectionId CoordinatorRunner::AttachShard(absl::string_view peer, SendToShard send) {
  const ConnectionId connection{++next_connection_};
  shards_.Add(connection.value, std::string(peer), std::move(send));
  return connection;
}

void CoordinatorRunner::Receive(ConnectionId connection, Status status) {
  Post(ShardSays{connection, std::move(status)});
}

void CoordinatorRunner::Detach(ConnectionId connection) {
  if (workers_.Remove(connection.value)) Post(WorkerStreamClosed{connection});
  if (shards_.Remove(connection.value)) Post(ShardStreamClosed{connection});
}

// ---------------------------------------------------------------- operators

std::shared_ptr<const RunView> CoordinatorRunner::View() const {
  MutexLock lock(mu_);
  return published_;
}

void CoordinatorRunner::Set(spec::Tunables change, Version at_step, bool dry_run, Answer answer) {
  Ask(std::move(answer), [=](RequestId request) {
    return SetTunables{request, change, at_step, dry_run};
  });
}

void CoordinatorRunner::StopRun(std::string reason, Answer answer) {
  Ask(std::move(answer), [reason = std::move(reason)](RequestId request) {
    return tenor::StopRun{request, reason};
  });
}

void CoordinatorRunner::CheckpointNow(Answer answer) {
  Ask(std::move(answer), [](RequestId request) { return tenor::CheckpointNow{request}; });
}

void CoordinatorRunner::Evict(std::string name, Answer answer) {
  Ask(std::move(answer), [name = std::move(name)](RequestId request) {
    return EvictMember{request, name};
  });
}

void CoordinatorRunner::Ask(Answer answer, std::function<Event(RequestId)> event) {
  loop_.Post([this, answer = std::move(answer), event = std::move(event)] {
    RequestId request;
    if (answer != nullptr) {
      request.value = ++next_request_;
      answers_.emplace(request, answer);
    }
    Handle(event(request));
  });
}

// ---------------------------------------------------------------- loop

void CoordinatorRunner::Post(Event event) {
  loop_.Post([this, event = std::move(event)] { Handle(event); });
}

void CoordinatorRunner::Handle(const Event& event) {
  CarryOut(coordinator_.Handle(clock_.Now(), event));
}

void CoordinatorRunner::CarryOut(const std::vector<Effect>& effects) {
  for (const Effect& effect : effects) {
    std::visit([this](const auto& one) { Do(one); }, effect);
  }
}

void CoordinatorRunner::UpdateView() {
  view_.status = coordinator_.Describe();
  if (view_.status.newest_checkpoint) {
    view_.last_checkpoint_time = clock_.WallNow() - view_.status.newest_checkpoint_age;
  }
  auto published = std::make_shared<RunView>(view_);
  MutexLock lock(mu_);
  published_ = std::move(published);
}

// ---------------------------------------------------------------- effects

void CoordinatorRunner::Do(const ToWorker& effect) {
  workers_.With(effect.connection.value,
                [&](const SendToWorker& send, const std::string&) { send(effect.message); });
}

void CoordinatorRunner::Do(const ToShard& effect) {
  shards_.With(effect.connection.value,
               [&](const SendToShard& send, const std::string&) { send(effect.message); });
}

void CoordinatorRunner::Do(const ClaimLineage& effect) {
  disk_.Post([this, effect] {
    absl::StatusOr<LineageClaims::Claim> claim = claims_.ClaimNext(effect.initial);
    Claimed claimed{effect.operation, claim.status(), 0, {}, std::nullopt, {}};
    if (claim.ok()) {
      claimed.lineage = claim->lineage;
      claimed.base = claim->base;
      claimed.record = std::move(claim->record);
      claimed.tunables = std::move(claim->tunables);
    }
    Post(std::move(claimed));
  });
}

void CoordinatorRunner::Do(const ReadClaim& effect) {
  disk_.Post([this, operation = effect.operation] {
    const absl::StatusOr<Lineage> newest = claims_.Newest();
    Post(ClaimRead{operation, newest.status(), newest.ok() ? *newest : 0});
  });
}

void CoordinatorRunner::Do(const WriteTunables& effect) {
  disk_.Post([this, effect] {
    Post(TunablesWritten{effect.operation,
                         claims_.Write(effect.lineage, effect.base, effect.tunables)});
  });
}

void CoordinatorRunner::Do(const WriteManifest& effect) {
  disk_.Post([this, effect] {
    Post(ManifestWritten{effect.operation,
                         checkpoints_.WriteManifest(effect.checkpoint, ManifestOf(effect))});
  });
}

void CoordinatorRunner::Do(const RenameDamaged& effect) {
  disk_.Post([this, effect] {
    Post(DamagedRenamed{effect.operation, checkpoints_.RenameDamaged(effect.checkpoint)});
  });
}

void CoordinatorRunner::Do(const Prune& effect) {
  disk_.Post([this, effect] {
    const absl::Status pruned = checkpoints_.Prune(effect);
    if (pruned.ok()) return;
    loop_.Post([this, pruned] {
      Note note;
      note.kind = "prune_failed";
      note.reason = std::string(pruned.message());
      note.alarm = true;
      Do(note);
    });
  });
}

void CoordinatorRunner::Do(const Reply& effect) {
  const auto found = answers_.find(effect.request);
  if (found == answers_.end()) return;
  const Answer answer = std::move(found->second);
  answers_.erase(found);
  answer(effect);
}

void CoordinatorRunner::Do(const Note& effect) {
  journal_.Add(effect, clock_.WallNow());
  if (options_.on_note != nullptr) options_.on_note(effect);
}

void CoordinatorRunner::Do(const StepDone& effect) {
  const absl::Duration now = clock_.Now();
  StepRecord record{effect, now - last_verdict_.value_or(now), clock_.WallNow()};
  last_verdict_ = now;
  view_.step_seconds = record.seconds;
  if (effect.verdict == VerdictKind::kApply) view_.last_step_time = record.time;
  journal_.Add(record);
  if (options_.on_step != nullptr) options_.on_step(record);
}

void CoordinatorRunner::Do(const Exit& effect) { options_.on_exit(effect.code, effect.sentence); }

spec::Manifest CoordinatorRunner::ManifestOf(const WriteManifest& effect) const {
  spec::Manifest manifest = options_.manifest;
  manifest.mutable_id()->set_lineage(effect.checkpoint.lineage);
  manifest.mutable_id()->set_round(effect.checkpoint.round);
  manifest.mutable_id()->set_version(effect.checkpoint.version);
  *manifest.mutable_record() = effect.record;
  manifest.set_wall_time(
      absl::FormatTime(absl::RFC3339_sec, clock_.WallNow(), absl::UTCTimeZone()));
  for (const SavedFile& file : effect.files) {
    spec::CheckpointFile& added = *manifest.add_files();
    added.set_name(file.name);
    added.set_bytes(file.bytes);
    added.set_crc32c(file.crc32c);
  }
  return manifest;
}

}  // namespace tenor

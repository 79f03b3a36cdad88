#include "server/runner/journal.h"

#include <cmath>
#include <utility>

#include "base/path.h"
#include "base/status.h"
#include "nlohmann/json.hpp"

namespace tenor {
namespace {

using Json = nlohmann::ordered_json;

// Names of peers are checked, their words are not: what is no UTF-8 is replaced, nothing throws.
std::string Dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string TimeText(absl::Time time) {
  return absl::FormatTime("%Y-%m-%dT%H:%M:%E3SZ", time, absl::UTCTimeZone());
}

const char* VerdictWord(VerdictKind verdict) {
  switch (verdict) {
    case VerdictKind::kApply:
      return "applied";
    case VerdictKind::kSkip:
      return "skipped";
    case VerdictKind::kDrop:
      return "dropped";
    case VerdictKind::kVoid:
      return "void";
  }
  return "";
}

}  // namespace

std::string EventJson(const Note& note, absl::Time time) {
  return Dump({{"time", TimeText(time)},
               {"step", note.step},
               {"lineage", note.label.lineage},
               {"round", note.label.round},
               {"view", note.label.view},
               {"kind", std::string(note.kind)},
               {"who", note.who},
               {"reason", note.reason},
               {"detail", note.detail}});
}

std::string StepJson(const StepRecord& record) {
  const StepDone& step = record.step;
  return Dump({{"time", TimeText(record.time)},
               {"step", step.version},
               {"lineage", step.label.lineage},
               {"round", step.label.round},
               {"view", step.label.view},
               {"verdict", VerdictWord(step.verdict)},
               {"loss_nats", step.loss},
               {"bits_per_character", step.loss / std::log(2.0)},
               {"learning_rate", step.learning_rate},
               {"loss_scale", std::exp2(step.loss_scale_log2)},
               {"accumulation_steps", step.accumulation_steps},
               {"samples", step.samples},
               {"samples_total", step.total_samples},
               {"gradient_norm", step.gradient_norm},
               {"members", step.members},
               {"seconds", absl::ToDoubleSeconds(record.seconds)}});
}

// One file. After its first error it is left alone.
class Journal::Lines {
 public:
  Lines(std::unique_ptr<WritableFile> file, OnError on_error)
      : file_(std::move(file)), on_error_(std::move(on_error)) {}

  void Append(const std::string& line) {
    if (failed_) return;
    if (absl::Status status = file_->Append(line + "\n"); !status.ok()) {
      failed_ = true;
      on_error_(status);
    }
  }

 private:
  const std::unique_ptr<WritableFile> file_;
  const OnError on_error_;
  bool failed_ = false;
};

absl::StatusOr<std::unique_ptr<Journal>> Journal::Open(FileSystem& files, absl::string_view folder,
                                                       OnError on_error) {
  TENOR_ASSIGN_OR_RETURN(std::unique_ptr<WritableFile> events,
                         files.OpenForAppend(JoinPath(folder, "events.jsonl")));
  TENOR_ASSIGN_OR_RETURN(std::unique_ptr<WritableFile> steps,
                         files.OpenForAppend(JoinPath(folder, "metrics.jsonl")));
  return std::unique_ptr<Journal>(new Journal(std::make_unique<Lines>(std::move(events), on_error),
                                              std::make_unique<Lines>(std::move(steps), on_error)));
}

Journal::Journal(std::unique_ptr<Lines> events, std::unique_ptr<Lines> steps)
    : event_lines_(std::move(events)), step_lines_(std::move(steps)) {}

Journal::~Journal() { writer_.Stop(); }

void Journal::Add(const Note& note, absl::Time time) {
  std::string line = EventJson(note, time);
  writer_.Post([lines = event_lines_, line] { lines->Append(line); });
  events_.Publish(std::move(line));
}

void Journal::Add(const StepRecord& record) {
  writer_.Post([lines = step_lines_, line = StepJson(record)] { lines->Append(line); });
  steps_.Publish(record);
}

}  // namespace tenor

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
               {"bpc", step.loss / std::log(2.0)},
               {"learning_rate", step.learning_rate},
               {"loss_scale", std::exp2(step.loss_scale_log2)},
               {"accumulation_steps", step.accumulation_steps},
               {"samples", step.samples},
               {"samples_total", step.total_samples},
               {"gradient_norm", step.gradient_norm},
               {"members", step.members},
               {"seconds", absl::ToDoubleSeconds(record.seconds)}});
}

// One file. What a full disk does not take is kept and written with a later line.
class Journal::Lines {
 public:
  static absl::StatusOr<std::unique_ptr<Lines>> Open(FileSystem& files, std::string path,
                                                     OnError on_error) {
    TENOR_ASSIGN_OR_RETURN(std::unique_ptr<WritableFile> file, files.OpenForAppend(path));
    TENOR_ASSIGN_OR_RETURN(const uint64_t size, files.FileSize(path));
    return std::unique_ptr<Lines>(
        new Lines(files, std::move(path), std::move(file), size, std::move(on_error)));
  }

  void Append(const std::string& line) {
    if (waiting_.size() < kMaxWaiting) waiting_ += line + "\n";
    const absl::Status status = file_->Append(waiting_);
    if (status.ok()) {
      size_ += waiting_.size();
      waiting_.clear();
    } else {
      ForgetWritten();
    }
    if (!status.ok() && !failing_) on_error_(status);
    failing_ = !status.ok();
  }

 private:
  static constexpr size_t kMaxWaiting = size_t{1} << 20;

  Lines(FileSystem& files, std::string path, std::unique_ptr<WritableFile> file, uint64_t size,
        OnError on_error)
      : files_(files),
        path_(std::move(path)),
        file_(std::move(file)),
        on_error_(std::move(on_error)),
        size_(size) {}

  // A write that fails may have written a part.
  void ForgetWritten() {
    const absl::StatusOr<uint64_t> size = files_.FileSize(path_);
    if (!size.ok() || *size < size_) return;
    waiting_.erase(0, *size - size_);
    size_ = *size;
  }

  FileSystem& files_;
  const std::string path_;
  const std::unique_ptr<WritableFile> file_;
  const OnError on_error_;
  uint64_t size_;        // of the file
  std::string waiting_;  // not in it yet
  bool failing_ = false;
};

absl::StatusOr<std::unique_ptr<Journal>> Journal::Open(FileSystem& files, absl::string_view folder,
                                                       OnError on_error) {
  TENOR_ASSIGN_OR_RETURN(std::unique_ptr<Lines> events,
                         Lines::Open(files, JoinPath(folder, "events.jsonl"), on_error));
  TENOR_ASSIGN_OR_RETURN(std::unique_ptr<Lines> steps,
                         Lines::Open(files, JoinPath(folder, "metrics.jsonl"), on_error));
  return std::unique_ptr<Journal>(new Journal(std::move(events), std::move(steps)));
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

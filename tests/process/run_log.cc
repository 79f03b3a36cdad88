#include "tests/process/run_log.h"

#include <fstream>
#include <iterator>

#include "absl/strings/str_split.h"
#include "base/check.h"
#include "base/path.h"
#include "nlohmann/json.hpp"
#include "tests/process/wait.h"

namespace tenor {
namespace {

using Json = nlohmann::json;

Json Parse(const std::string& line) {
  Json json = Json::parse(line, nullptr, /*allow_exceptions=*/false);
  CHECK(json.is_object()) << "no JSON object: " << line;
  return json;
}

StepLine ParseStep(const std::string& line) {
  const Json json = Parse(line);
  return {.seen = MonotonicNow(),
          .step = json["step"],
          .lineage = json["lineage"],
          .round = json["round"],
          .view = json["view"],
          .verdict = json["verdict"],
          .loss_nats = json["loss_nats"],
          .samples = json["samples"],
          .samples_total = json["samples_total"],
          .accumulation_steps = json["accumulation_steps"],
          .members = json["members"],
          .seconds = json["seconds"]};
}

EventLine ParseEvent(const std::string& line) {
  const Json json = Parse(line);
  return {.step = json["step"],
          .lineage = json["lineage"],
          .round = json["round"],
          .kind = json["kind"],
          .who = json["who"],
          .reason = json["reason"],
          .detail = json["detail"]};
}

}  // namespace

std::vector<std::string> RunLog::NewLines(const std::string& name, uint64_t* offset) const {
  std::ifstream file(JoinPath(run_dir_, name), std::ios::binary);
  if (!file.seekg(static_cast<std::streamoff>(*offset))) return {};
  std::string text(std::istreambuf_iterator<char>(file), {});
  text.resize(text.rfind('\n') + 1);  // npos + 1 is 0
  *offset += text.size();
  return absl::StrSplit(text, '\n', absl::SkipEmpty());
}

const std::vector<StepLine>& RunLog::Steps() {
  for (const std::string& line : NewLines("metrics.jsonl", &steps_offset_)) {
    steps_.push_back(ParseStep(line));
  }
  return steps_;
}

const std::vector<EventLine>& RunLog::Events() {
  for (const std::string& line : NewLines("events.jsonl", &events_offset_)) {
    events_.push_back(ParseEvent(line));
  }
  return events_;
}

std::vector<StepLine> RunLog::Path() {
  std::vector<StepLine> path;
  for (const StepLine& line : Steps()) {
    if (line.verdict != "applied" && line.verdict != "dropped") continue;
    while (!path.empty() && path.back().lineage < line.lineage && path.back().step >= line.step) {
      path.pop_back();
    }
    path.push_back(line);
  }
  return path;
}

int64_t RunLog::CommittedSamples() {
  int64_t samples = 0;
  for (const StepLine& line : Path()) samples += line.samples;
  return samples;
}

}  // namespace tenor

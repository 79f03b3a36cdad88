#include "cli/local/run_progress.h"

#include <numbers>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "cli/printable.h"

namespace tenor {
namespace {

constexpr size_t kNewestRounds = 32;

std::string Plural(int64_t count, const char* word) {
  return absl::StrCat(count, " ", word, count == 1 ? "" : "s");
}

}  // namespace

void RunProgress::Add(const StepSample& sample) {
  const bool applied = sample.verdict == "applied";
  newest_.push_back({sample.seconds, sample.samples, applied});
  if (newest_.size() > kNewestRounds) newest_.pop_front();
  members_ = sample.members;
  if (sample.verdict == "skipped") ++skipped_;
  if (sample.verdict == "dropped") ++dropped_;
  if (!applied) return;
  ++applied_;
  step_ = sample.step;
  loss_ = sample.loss_nats;
}

double RunProgress::SamplesPerSecond() const {
  double seconds = 0;
  double samples = 0;
  for (const Round& round : newest_) {
    // A round without a time (the first after a start) says nothing of the speed.
    if (round.seconds <= 0) continue;
    seconds += round.seconds;
    if (round.applied) samples += static_cast<double>(round.samples);
  }
  return seconds > 0 ? samples / seconds : 0;
}

double RunProgress::SecondsPerStep() const {
  double seconds = 0;
  int steps = 0;
  for (const Round& round : newest_) {
    seconds += round.seconds;
    if (round.applied && round.seconds > 0) ++steps;
  }
  return steps > 0 ? seconds / steps : 0;
}

std::string RunProgress::Text() const {
  if (applied_ == 0) return "waiting for the first step";
  std::string text = absl::StrCat("step ", step_);
  if (stop_.updates() > 0) absl::StrAppend(&text, " of ", stop_.updates());
  absl::StrAppendFormat(&text, "  loss %.4f nats  %.4f bits  %s bytes/s  %s", loss_,
                        loss_ / std::numbers::ln2, CountText(SamplesPerSecond()),
                        Plural(members_, "worker"));
  if (skipped_ > 0) absl::StrAppend(&text, "  ", skipped_, " skipped");
  if (stop_.updates() > step_ && SecondsPerStep() > 0) {
    absl::StrAppend(&text, "  ",
                    SecondsText(SecondsPerStep() * static_cast<double>(stop_.updates() - step_)),
                    " left");
  }
  return text;
}

std::string RunProgress::Summary(absl::Duration elapsed) const {
  const std::string time = SecondsText(absl::ToDoubleSeconds(elapsed));
  if (applied_ == 0) return absl::StrCat("no step in ", time);
  std::string text =
      absl::StrFormat("%s (to step %d) in %s: loss %.4f nats, %.4f bits per character, %s",
                      Plural(applied_, "step"), step_, time, loss_, loss_ / std::numbers::ln2,
                      Plural(skipped_, "skipped round"));
  if (dropped_ > 0) absl::StrAppend(&text, ", ", Plural(dropped_, "dropped round"));
  return text;
}

}  // namespace tenor

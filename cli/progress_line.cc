#include "cli/progress_line.h"

#include <algorithm>

namespace tenor {
namespace {

// To the line's start and erase it (ECMA-48, EL).
constexpr char kEraseLine[] = "\r\x1b[K";

}  // namespace

ProgressLine::ProgressLine(std::ostream& out, bool is_terminal, int columns)
    : out_(out),
      is_terminal_(is_terminal),
      columns_(static_cast<size_t>(std::max(columns, 20)) - 1) {}

bool ProgressLine::IsDue(absl::Duration now) const {
  return !shown_ || now - *shown_ >= (is_terminal_ ? kTerminalPeriod : kPlainPeriod);
}

void ProgressLine::Show(absl::Duration now, absl::string_view text) {
  if (!IsDue(now)) return;
  const bool is_first = !shown_;
  shown_ = now;
  // Short work needs no line of its own in a log.
  if (is_first && !is_terminal_) return;
  if (is_terminal_) {
    out_ << kEraseLine << std::string(text.substr(0, columns_)) << std::flush;
    is_on_screen_ = true;
  } else {
    out_ << text << "\n" << std::flush;
  }
}

void ProgressLine::Clear() {
  if (is_on_screen_) out_ << kEraseLine << std::flush;
  is_on_screen_ = false;
}

}  // namespace tenor

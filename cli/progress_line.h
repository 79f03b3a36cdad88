#ifndef TENOR_CLI_PROGRESS_LINE_H_
#define TENOR_CLI_PROGRESS_LINE_H_

#include <optional>
#include <ostream>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace tenor {

// Progress of long work. On a terminal one line that is written over, at most five times a second;
// elsewhere one whole line every 10 s, the first 10 s after the
// first call, without control characters. Single-threaded.
class ProgressLine {
 public:
  static constexpr absl::Duration kTerminalPeriod = absl::Milliseconds(200);
  static constexpr absl::Duration kPlainPeriod = absl::Seconds(10);

  // `out` is borrowed. `columns` cuts the line on a terminal.
  ProgressLine(std::ostream& out, bool is_terminal, int columns);

  // `now` is any monotonic time. Shows `text`, one line of printable characters, if it is time to.
  void Show(absl::Duration now, absl::string_view text);

  // Whether Show would write: spares making the text.
  bool IsDue(absl::Duration now) const;

  // Takes the line off the terminal so that something else can be written.
  void Clear();

 private:
  std::ostream& out_;
  const bool is_terminal_;
  const size_t columns_;
  std::optional<absl::Duration> shown_;
  bool is_on_screen_ = false;
};

}  // namespace tenor

#endif  // TENOR_CLI_PROGRESS_LINE_H_

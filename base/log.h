#ifndef TENOR_BASE_LOG_H_
#define TENOR_BASE_LOG_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <ostream>
#include <sstream>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "base/clock.h"
#include "base/mutex.h"

// LOG(INFO) << "what happened"; severities INFO, WARNING, ERROR. Thread-safe. For mains and shells;
// libraries return Status.
//
// A line: 2026-11-30T19:44:01.123Z W server0 net/join.cc: message

#define LOG(severity) TENOR_LOG_##severity
#define TENOR_LOG_INFO TENOR_LOG_AT_(kInfo)
#define TENOR_LOG_WARNING TENOR_LOG_AT_(kWarning)
#define TENOR_LOG_ERROR TENOR_LOG_AT_(kError)
#define TENOR_LOG_AT_(level) \
  ::tenor::LogMessage(::tenor::LogSeverity::level, __FILE__, __LINE__).stream()

namespace tenor {

enum class LogSeverity { kInfo, kWarning, kError };

enum class LogFormat { kText, kJson };

// What --log_level and --log_format take: info, warning, error; text, json. Nothing otherwise.
std::optional<LogSeverity> ParseLogSeverity(absl::string_view name);
std::optional<LogFormat> ParseLogFormat(absl::string_view name);

struct LogEntry {
  LogSeverity severity = LogSeverity::kInfo;
  // As the compiler names it.
  absl::string_view file;
  int line = 0;
  std::string message;
};

struct LogOptions {
  // Role and index: "server0".
  std::string process;
  LogFormat format = LogFormat::kText;
  // Entries below are dropped.
  LogSeverity level = LogSeverity::kInfo;
};

// One line without its end. Text: line breaks inside the message become " | ", other control
// characters "?". Json: {"time":..,"severity":"W","process":..,"file":..,"line":..,"message":..}.
std::string FormatLogLine(const LogOptions& options, absl::Time time, const LogEntry& entry);

// Writes entries as lines. An entry equal to the last one (severity, file, message) is counted, not
// written; the count follows as "message (repeated N times)" when another entry comes, when the
// first of them is kRepeatReport old at the next, at Flush and at the end. Thread-safe.
class LogSink {
 public:
  static constexpr absl::Duration kRepeatReport = absl::Seconds(30);

  // Called with whole lines, "\n" at their end, one call at a time.
  using Writer = std::function<void(absl::string_view line)>;

  // `clock` is borrowed and outlives the sink. Without a writer lines go to stderr.
  LogSink(LogOptions options, const Clock& clock, Writer writer = nullptr);
  ~LogSink();
  LogSink(const LogSink&) = delete;
  LogSink& operator=(const LogSink&) = delete;

  void Send(const LogEntry& entry);
  void Flush();

 private:
  void Write(absl::Time time, const LogEntry& entry) TENOR_REQUIRES(mu_);
  void ReportRepeats(absl::Time time) TENOR_REQUIRES(mu_);

  const LogOptions options_;
  const Clock& clock_;
  const Writer writer_;
  Mutex mu_;
  std::optional<LogEntry> last_ TENOR_GUARDED_BY(mu_);
  int64_t repeats_ TENOR_GUARDED_BY(mu_) = 0;
  absl::Duration last_written_ TENOR_GUARDED_BY(mu_);
};

// Where LOG goes from now on: once, in main, before other threads start; the process's only global.
// Borrowed; null takes it back before the sink's end. Without a sink LOG writes plain lines to
// stderr.
void SetLogSink(LogSink* sink);

// One statement's message, sent by the destructor. Used by LOG.
class LogMessage {
 public:
  LogMessage(LogSeverity severity, const char* file, int line);
  ~LogMessage();
  LogMessage(const LogMessage&) = delete;
  LogMessage& operator=(const LogMessage&) = delete;

  std::ostream& stream() { return text_; }

 private:
  const LogSeverity severity_;
  const char* const file_;
  const int line_;
  std::ostringstream text_;
};

}  // namespace tenor

#endif  // TENOR_BASE_LOG_H_

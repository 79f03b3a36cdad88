#include "base/log.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "base/clock.h"
#include "base/mutex.h"
#include "base/utf8.h"

namespace tenor {
namespace {

std::atomic<LogSink*> g_sink{nullptr};

absl::string_view Letter(LogSeverity severity) {
  switch (severity) {
    case LogSeverity::kInfo:
      return "I";
    case LogSeverity::kWarning:
      return "W";
    case LogSeverity::kError:
      return "E";
  }
  return "?";
}

// "server/net/join.cc" -> "net/join.cc": the process already says which room.
absl::string_view LastTwoParts(absl::string_view file) {
  const size_t last = file.rfind('/');
  if (last == absl::string_view::npos || last == 0) return file;
  const size_t before = file.rfind('/', last - 1);
  return before == absl::string_view::npos ? file : file.substr(before + 1);
}

std::string OneLine(absl::string_view message) {
  std::string line;
  line.reserve(message.size());
  for (const char c : absl::StripTrailingAsciiWhitespace(message)) {
    if (c == '\n') {
      line += " | ";
    } else {
      line += absl::ascii_iscntrl(static_cast<unsigned char>(c)) && c != '\t' ? '?' : c;
    }
  }
  return line;
}

// Bytes that are no UTF-8 are replaced: stricter readers of JSON refuse a line with them.
std::string JsonString(absl::string_view text) {
  std::string quoted = "\"";
  while (!text.empty()) {
    const size_t length = Utf8SequenceLength(text);
    const char c = text.front();
    if (length == 0) {
      quoted += "\\ufffd";
    } else if (c == '"' || c == '\\') {
      absl::StrAppend(&quoted, "\\", text.substr(0, 1));
    } else if (absl::ascii_iscntrl(static_cast<unsigned char>(c))) {
      absl::StrAppendFormat(&quoted, "\\u%04x", static_cast<unsigned>(c));
    } else {
      absl::StrAppend(&quoted, text.substr(0, length));
    }
    text.remove_prefix(std::max<size_t>(length, 1));
  }
  return quoted + "\"";
}

std::string TimeText(absl::Time time) {
  return absl::FormatTime("%Y-%m-%d%ET%H:%M:%E3SZ", time, absl::UTCTimeZone());
}

void WriteToStderr(absl::string_view line) {
  while (!line.empty()) {
    const ssize_t written = write(STDERR_FILENO, line.data(), line.size());
    if (written <= 0) return;
    line.remove_prefix(static_cast<size_t>(written));
  }
}

bool Same(const LogEntry& a, const LogEntry& b) {
  return a.severity == b.severity && a.file == b.file && a.message == b.message;
}

}  // namespace

std::optional<LogSeverity> ParseLogSeverity(absl::string_view name) {
  if (name == "info") return LogSeverity::kInfo;
  if (name == "warning") return LogSeverity::kWarning;
  if (name == "error") return LogSeverity::kError;
  return std::nullopt;
}

std::optional<LogFormat> ParseLogFormat(absl::string_view name) {
  if (name == "text") return LogFormat::kText;
  if (name == "json") return LogFormat::kJson;
  return std::nullopt;
}

std::string FormatLogLine(const LogOptions& options, absl::Time time, const LogEntry& entry) {
  const absl::string_view file = LastTwoParts(entry.file);
  if (options.format == LogFormat::kText) {
    return absl::StrCat(TimeText(time), " ", Letter(entry.severity), " ", options.process, " ",
                        file, ": ", OneLine(entry.message));
  }
  return absl::StrCat("{\"time\":\"", TimeText(time), "\",\"severity\":\"", Letter(entry.severity),
                      "\",\"process\":", JsonString(options.process),
                      ",\"file\":", JsonString(file), ",\"line\":", entry.line,
                      ",\"message\":", JsonString(entry.message), "}");
}

LogSink::LogSink(LogOptions options, const Clock& clock, Writer writer)
    : options_(std::move(options)),
      clock_(clock),
      writer_(writer ? std::move(writer) : Writer(WriteToStderr)) {}

LogSink::~LogSink() { Flush(); }

void LogSink::Send(const LogEntry& entry) {
  if (entry.severity < options_.level) return;
  const absl::Time time = clock_.WallNow();
  const absl::Duration now = clock_.Now();
  MutexLock lock(mu_);
  if (last_.has_value() && Same(*last_, entry)) {
    ++repeats_;
    if (now - last_written_ < kRepeatReport) return;
    ReportRepeats(time);
  } else {
    ReportRepeats(time);
    Write(time, entry);
    last_ = entry;
  }
  last_written_ = now;
}

void LogSink::Flush() {
  const absl::Time time = clock_.WallNow();
  MutexLock lock(mu_);
  ReportRepeats(time);
}

void LogSink::Write(absl::Time time, const LogEntry& entry) {
  writer_(FormatLogLine(options_, time, entry) + "\n");
}

void LogSink::ReportRepeats(absl::Time time) {
  const int64_t repeats = std::exchange(repeats_, 0);
  if (repeats == 0) return;
  LogEntry report = *last_;
  absl::StrAppend(&report.message, " (repeated ", repeats, repeats == 1 ? " time)" : " times)");
  Write(time, report);
}

void SetLogSink(LogSink* sink) { g_sink.store(sink, std::memory_order_release); }

LogMessage::LogMessage(LogSeverity severity, const char* file, int line)
    : severity_(severity), file_(file), line_(line) {}

LogMessage::~LogMessage() {
  const LogEntry entry{severity_, file_, line_, text_.str()};
  if (LogSink* const sink = g_sink.load(std::memory_order_acquire)) {
    sink->Send(entry);
    return;
  }
  WriteToStderr(absl::StrCat(Letter(severity_), " ", LastTwoParts(file_), ": ",
                             OneLine(entry.message), "\n"));
}

}  // namespace tenor

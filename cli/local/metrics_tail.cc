#include "cli/local/metrics_tail.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "absl/strings/str_split.h"
#include "base/status.h"
#include "nlohmann/json.hpp"

namespace tenor {
namespace {

using Json = nlohmann::json;

constexpr uint64_t kLogTailBytes = uint64_t{64} << 10;

double NumberOf(const Json& line, const char* key) {
  const auto found = line.find(key);
  return found != line.end() && found->is_number() ? found->get<double>() : 0;
}

int64_t IntegerOf(const Json& line, const char* key) {
  const auto found = line.find(key);
  return found != line.end() && found->is_number_integer() ? found->get<int64_t>() : 0;
}

std::optional<StepSample> ParseLine(absl::string_view text) {
  const Json line = Json::parse(text.begin(), text.end(), nullptr, /*allow_exceptions=*/false);
  if (!line.is_object() || !line.contains("step") || !line.contains("verdict") ||
      !line["verdict"].is_string()) {
    return std::nullopt;
  }
  return StepSample{.step = IntegerOf(line, "step"),
                    .verdict = line["verdict"].get<std::string>(),
                    .loss_nats = NumberOf(line, "loss_nats"),
                    .samples = IntegerOf(line, "samples"),
                    .seconds = NumberOf(line, "seconds"),
                    .members = IntegerOf(line, "members")};
}

absl::StatusOr<std::string> ReadRange(FileSystem& files, absl::string_view path, uint64_t from,
                                      uint64_t limit) {
  TENOR_ASSIGN_OR_RETURN(const std::unique_ptr<RandomAccessFile> file, files.Open(path));
  if (file->Size() <= from) return std::string();
  std::string text(std::min(file->Size() - from, limit), '\0');
  TENOR_RETURN_IF_ERROR(file->Read(from, std::as_writable_bytes(std::span(text))));
  return text;
}

}  // namespace

MetricsTail::MetricsTail(FileSystem& files, std::string path)
    : files_(files), path_(std::move(path)) {}

absl::Status MetricsTail::SkipToEnd() {
  const absl::StatusOr<uint64_t> size = files_.FileSize(path_);
  if (size.ok()) offset_ = *size;
  return absl::IsNotFound(size.status()) ? absl::OkStatus() : size.status();
}

absl::StatusOr<std::string> MetricsTail::ReadNew() const {
  absl::StatusOr<std::string> text = ReadRange(files_, path_, offset_, kMaxBytes);
  if (absl::IsNotFound(text.status())) return std::string();
  return text;
}

absl::StatusOr<std::vector<StepSample>> MetricsTail::Poll() {
  TENOR_ASSIGN_OR_RETURN(const std::string text, ReadNew());
  std::vector<StepSample> samples;
  const size_t end = text.rfind('\n');
  if (end == std::string::npos) return samples;
  offset_ += end + 1;
  for (absl::string_view line : absl::StrSplit(text.substr(0, end), '\n')) {
    if (std::optional<StepSample> sample = ParseLine(line)) samples.push_back(*std::move(sample));
  }
  return samples;
}

absl::StatusOr<std::string> LastLines(FileSystem& files, absl::string_view path, int lines) {
  TENOR_ASSIGN_OR_RETURN(const uint64_t size, files.FileSize(path));
  const uint64_t from = size > kLogTailBytes ? size - kLogTailBytes : 0;
  TENOR_ASSIGN_OR_RETURN(const std::string text, ReadRange(files, path, from, kLogTailBytes));
  size_t begin = text.size();
  if (begin > 0 && text.back() == '\n') --begin;
  for (int i = 0; i < lines && begin > 0; ++i) {
    const size_t newline = text.rfind('\n', begin - 1);
    if (newline == std::string::npos) return text;
    begin = newline;
  }
  return text.substr(std::min(begin + 1, text.size()));
}

}  // namespace tenor

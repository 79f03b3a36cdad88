#include "cli/printable.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>

#include "absl/strings/str_format.h"
#include "base/utf8.h"

namespace tenor {
namespace {

// C0 and DEL are one byte; C1 (U+0080 to U+009F) is c2 80 to c2 9f in UTF-8.
bool IsControl(absl::string_view sequence) {
  const auto first = static_cast<unsigned char>(sequence[0]);
  if (sequence.size() == 1) return first < 0x20 || first == 0x7f;
  return sequence.size() == 2 && first == 0xc2 && static_cast<unsigned char>(sequence[1]) < 0xa0;
}

bool IsKept(absl::string_view sequence, bool keep_lines) {
  if (keep_lines && (sequence == "\n" || sequence == "\t")) return true;
  return !IsControl(sequence);
}

void AppendEscaped(absl::string_view bytes, std::string* out) {
  for (const char byte : bytes) {
    absl::StrAppendFormat(out, "\\x%02x", static_cast<unsigned char>(byte));
  }
}

}  // namespace

std::string Printable(absl::string_view text, bool keep_lines) {
  std::string out;
  while (!text.empty()) {
    const size_t length = Utf8SequenceLength(text);
    const absl::string_view sequence = text.substr(0, length == 0 ? 1 : length);
    if (length > 0 && IsKept(sequence, keep_lines)) {
      out.append(sequence.data(), sequence.size());
    } else {
      AppendEscaped(sequence, &out);
    }
    text.remove_prefix(sequence.size());
  }
  return out;
}

std::string BytesText(double bytes) {
  const char* const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  size_t unit = 0;
  while (bytes >= 1024 && unit + 1 < std::size(units)) {
    bytes /= 1024;
    ++unit;
  }
  return unit == 0 ? absl::StrFormat("%.0f B", bytes)
                   : absl::StrFormat("%.1f %s", bytes, units[unit]);
}

std::string SecondsText(double seconds) {
  if (!std::isfinite(seconds) || seconds < 0) return "?";
  if (seconds < 1) return absl::StrFormat("%.0f ms", seconds * 1000);
  if (seconds < 60) return absl::StrFormat("%.1f s", seconds);
  const auto whole = static_cast<long long>(std::min(seconds, 1e12));
  if (whole < 3600) return absl::StrFormat("%dm%02ds", whole / 60, whole % 60);
  return absl::StrFormat("%dh%02dm", whole / 3600, whole / 60 % 60);
}

std::string CountText(double count) {
  if (count < 1e5) return absl::StrFormat("%.0f", count);
  if (count < 1e6) return absl::StrFormat("%.1fk", count / 1e3);
  if (count < 1e9) return absl::StrFormat("%.2fM", count / 1e6);
  return absl::StrFormat("%.2fG", count / 1e9);
}

}  // namespace tenor

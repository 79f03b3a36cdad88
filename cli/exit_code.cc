#include "cli/exit_code.h"

#include <optional>
#include <string>

#include "absl/strings/cord.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"

namespace tenor {
namespace {

constexpr char kPayload[] = "tenor/exit_code";

}  // namespace

absl::Status WithExitCode(absl::Status status, int code) {
  status.SetPayload(kPayload, absl::Cord(absl::StrCat(code)));
  return status;
}

int ExitCodeOf(const absl::Status& status) {
  if (status.ok()) return kExitDone;
  int code = 0;
  if (const auto payload = status.GetPayload(kPayload);
      payload.has_value() && absl::SimpleAtoi(std::string(*payload), &code)) {
    return code;
  }
  return absl::IsInvalidArgument(status) ? kExitBadInput : kExitFailure;
}

}  // namespace tenor

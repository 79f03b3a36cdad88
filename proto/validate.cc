#include "proto/validate.h"

#include "absl/strings/str_cat.h"

namespace tenor {

absl::Status ViolationStatus(const std::optional<Violation>& violation) {
  if (!violation.has_value()) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(violation->field, " ", violation->sentence));
}

}  // namespace tenor

#ifndef TENOR_PROTO_FIELD_CHECKS_H_
#define TENOR_PROTO_FIELD_CHECKS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/string_view.h"
#include "proto/validate.h"

namespace tenor {

// Collects the checks of one message and keeps the first that failed. Single-threaded. `field` is
// the path below `prefix`, which is empty or ends with a dot.
class FieldChecks {
 public:
  explicit FieldChecks(absl::string_view prefix = "") : prefix_(prefix) {}

  // low <= value <= high.
  void Integer(absl::string_view field, int64_t value, int64_t low, int64_t high);
  // low <= value <= high, and a number.
  void Number(absl::string_view field, double value, double low, double high);
  // 0 < value < infinity.
  void Positive(absl::string_view field, double value);
  // A set of characters that is safe in file names: [A-Za-z0-9._-]{1,longest}.
  void Name(absl::string_view field, absl::string_view value, size_t longest);
  // `sentence` goes on behind the field's path: "is missing; ...".
  void That(bool holds, absl::string_view field, absl::string_view sentence);
  // A failed check of a part, its path below `field`.
  void Part(absl::string_view field, const std::optional<Violation>& violation);

  bool failed() const { return first_.has_value(); }
  std::optional<Violation> First() && { return std::move(first_); }

 private:
  std::string prefix_;
  std::optional<Violation> first_;
};

}  // namespace tenor

#endif  // TENOR_PROTO_FIELD_CHECKS_H_

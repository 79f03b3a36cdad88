#ifndef TENOR_CLI_COMMAND_SYNTAX_H_
#define TENOR_CLI_COMMAND_SYNTAX_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace tenor {

// How a command declares what it takes. Every target is the caller's, holds the default, and lives
// until parsing has ended. Single-threaded.
class CommandSyntax {
 public:
  virtual ~CommandSyntax() = default;

  // --name; a dash-separated or underscored name without the dashes in front.
  virtual void Flag(absl::string_view name, bool* target, absl::string_view help) = 0;
  virtual void Option(absl::string_view name, std::string* target, absl::string_view help) = 0;
  virtual void Option(absl::string_view name, int64_t* target, absl::string_view help) = 0;
  virtual void Option(absl::string_view name, double* target, absl::string_view help) = 0;

  // By position, needed unless optional.
  virtual void Argument(absl::string_view name, std::string* target, absl::string_view help) = 0;
  virtual void OptionalArgument(absl::string_view name, std::string* target,
                                absl::string_view help) = 0;
  // One or more.
  virtual void Arguments(absl::string_view name, std::vector<std::string>* target,
                         absl::string_view help) = 0;
};

}  // namespace tenor

#endif  // TENOR_CLI_COMMAND_SYNTAX_H_

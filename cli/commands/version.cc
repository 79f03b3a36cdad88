#include "base/version.h"

#include <memory>

#include "cli/commands/commands.h"

namespace tenor {
namespace {

class ShowVersion : public Command {
 public:
  void Declare(CommandSyntax&) override {}

  absl::Status Run(CommandContext& context) override {
    context.terminal.out << "tenor " << kTenorVersion << "\n";
    return absl::OkStatus();
  }
};

}  // namespace

CommandEntry VersionCommand() {
  return {.name = "version",
          .summary = "the version of this program",
          .examples = "  tenor version\n",
          .create = [] { return std::make_unique<ShowVersion>(); }};
}

}  // namespace tenor

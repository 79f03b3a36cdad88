#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "cli/commands/commands.h"

namespace tenor {
namespace {

// First words, then the second words of each group.
std::string BashScript(const std::vector<std::string>& names) {
  std::set<std::string> first;
  std::set<std::string> groups;
  for (const std::string& name : names) {
    const std::vector<std::string> words = absl::StrSplit(name, ' ');
    first.insert(words[0]);
    if (words.size() > 1) groups.insert(words[0]);
  }
  std::string cases;
  for (const std::string& group : groups) {
    std::vector<std::string> members;
    for (const std::string& name : names) {
      if (absl::StartsWith(name, group + " ")) members.push_back(name.substr(group.size() + 1));
    }
    absl::StrAppend(&cases, "    ", group, ") words='", absl::StrJoin(members, " "), "' ;;\n");
  }
  return absl::StrCat(
      "_tenor() {\n"
      "  local current=\"${COMP_WORDS[COMP_CWORD]}\" previous=\"${COMP_WORDS[COMP_CWORD-1]}\" "
      "words\n"
      "  case \"$previous\" in\n",
      cases, "    tenor|*/tenor) words='", absl::StrJoin(first, " "),
      " --server --run --color --help' ;;\n"
      "    --color) words='auto never' ;;\n"
      "    *) words='--help' ;;\n"
      "  esac\n"
      "  COMPREPLY=( $(compgen -W \"$words\" -- \"$current\") )\n"
      "  [ \"$words\" != --help ] || COMPREPLY+=( $(compgen -f -- \"$current\") )\n"
      "}\n"
      "complete -o filenames -F _tenor tenor\n");
}

class Completion : public Command {
 public:
  explicit Completion(std::vector<std::string> names) : names_(std::move(names)) {}

  void Declare(CommandSyntax& syntax) override { syntax.Argument("SHELL", &shell_, "bash"); }

  absl::Status Run(CommandContext& context) override {
    if (shell_ != "bash") {
      return absl::InvalidArgumentError(
          absl::StrCat("shell is ", shell_, "; only bash has a completion"));
    }
    context.terminal.out << BashScript(names_);
    return absl::OkStatus();
  }

 private:
  const std::vector<std::string> names_;
  std::string shell_;
};

}  // namespace

CommandEntry CompletionCommand(std::vector<std::string> names) {
  return {.name = "completion",
          .summary = "a script that completes the commands in bash",
          .examples = "  source <(tenor completion bash)\n",
          .create = [names = std::move(names)] { return std::make_unique<Completion>(names); }};
}

}  // namespace tenor

// The one file that sees CLI11, which throws.
#include "cli/program.h"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "CLI/CLI.hpp"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "cli/exit_code.h"

namespace tenor {
namespace {

std::string ToStd(absl::string_view text) { return std::string(text); }

class Cli11Syntax : public CommandSyntax {
 public:
  explicit Cli11Syntax(CLI::App& app) : app_(app) {}

  void Flag(absl::string_view name, bool* target, absl::string_view help) override {
    app_.add_flag(Dashed(name), *target, ToStd(help));
  }
  void Option(absl::string_view name, std::string* target, absl::string_view help) override {
    Add(Dashed(name), target, help)->type_name("TEXT");
  }
  void Option(absl::string_view name, int64_t* target, absl::string_view help) override {
    Add(Dashed(name), target, help)->type_name("N");
  }
  void Option(absl::string_view name, double* target, absl::string_view help) override {
    Add(Dashed(name), target, help)->type_name("X");
  }
  void Argument(absl::string_view name, std::string* target, absl::string_view help) override {
    app_.add_option(ToStd(name), *target, ToStd(help))->required()->type_name("");
  }
  void OptionalArgument(absl::string_view name, std::string* target,
                        absl::string_view help) override {
    app_.add_option(ToStd(name), *target, ToStd(help))->type_name("");
  }
  void Arguments(absl::string_view name, std::vector<std::string>* target,
                 absl::string_view help) override {
    app_.add_option(ToStd(name), *target, ToStd(help))->required()->type_name("");
  }

 private:
  static std::string Dashed(absl::string_view name) { return absl::StrCat("--", name); }

  template <typename Value>
  CLI::Option* Add(const std::string& name, Value* target, absl::string_view help) {
    return app_.add_option(name, *target, ToStd(help))->capture_default_str();
  }

  CLI::App& app_;
};

struct ProgramOptions {
  std::string server;
  std::string run;
  std::string color = "auto";
};

class Program {
 public:
  explicit Program(const std::vector<CommandEntry>& entries) : entries_(entries) {
    app_.require_subcommand(1);
    app_.fallthrough();
    app_.add_option("--server", options_.server, "server 0 of the run, host:port")
        ->type_name("ADDRESS");
    app_.add_option("--run", options_.run, "the run's folder")->type_name("DIR");
    app_.add_option("--color", options_.color, "auto or never")
        ->check(CLI::IsMember({"auto", "never"}))
        ->type_name("WHEN");
    app_.footer("`tenor COMMAND --help` has the options and examples of a command.");
    for (const CommandEntry& entry : entries_) AddCommand(entry);
  }

  int Run(std::vector<std::string> arguments, CommandContext& context) {
    if (arguments.empty()) arguments = {"--help"};
    std::reverse(arguments.begin(), arguments.end());  // what CLI11 takes
    try {
      app_.parse(std::move(arguments));
    } catch (const CLI::Success&) {
      context.terminal.out << app_.help();
      return kExitDone;
    } catch (const CLI::ParseError& error) {
      return Fail(context, absl::InvalidArgumentError(
                               absl::StrCat(Explain(error), "; see `", Called(), " --help`")));
    }
    return RunChosen(context);
  }

 private:
  // "checkpoint list" lies below a command "checkpoint" that only holds others.
  void AddCommand(const CommandEntry& entry) {
    CLI::App* parent = &app_;
    const std::vector<std::string> words = absl::StrSplit(entry.name, ' ');
    for (size_t i = 0; i + 1 < words.size(); ++i) parent = Group(*parent, words[i]);
    CLI::App* app = parent->add_subcommand(words.back(), entry.summary);
    app->footer(absl::StrCat("Examples:\n", entry.examples));
    std::unique_ptr<Command> command = entry.create();
    Cli11Syntax syntax(*app);
    command->Declare(syntax);
    commands_[app] = Declared{&entry, std::move(command)};
  }

  CLI::App* Group(CLI::App& parent, const std::string& word) {
    CLI::App*& group = groups_[word];
    if (group == nullptr) {
      group = parent.add_subcommand(word, absl::StrCat("see `tenor ", word, " --help`"));
      group->require_subcommand(1);
    }
    return group;
  }

  // An unknown command is reported by CLI11 as the lack of a known one.
  std::string Explain(const CLI::ParseError& error) const {
    const std::vector<std::string> unknown = app_.remaining(/*recurse=*/true);
    const bool lacks_command = dynamic_cast<const CLI::RequiredError*>(&error) != nullptr &&
                               commands_.count(DeepestParsed()) == 0;
    if (lacks_command && !unknown.empty()) return absl::StrCat(unknown.front(), " is no command");
    return absl::StrReplaceAll(error.what(), {{"\n", " "}});
  }

  const CLI::App* DeepestParsed() const {
    const CLI::App* app = &app_;
    while (!app->get_subcommands().empty()) app = app->get_subcommands().front();
    return app;
  }

  std::string Called() const {
    std::string name = "tenor";
    for (const CLI::App* app = &app_; !app->get_subcommands().empty();) {
      app = app->get_subcommands().front();
      absl::StrAppend(&name, " ", app->get_name());
    }
    return name;
  }

  int RunChosen(CommandContext& context) {
    const auto found = commands_.find(DeepestParsed());
    if (found == commands_.end()) return Fail(context, absl::InternalError("no such command"));
    if (absl::Status status = CheckOptions(*found->second.entry); !status.ok()) {
      return Fail(context, status);
    }
    context.server = options_.server;
    context.run = options_.run;
    context.color = options_.color == "auto" && context.terminal.out_is_terminal;
    const absl::Status status = found->second.command->Run(context);
    return status.ok() ? kExitDone : Fail(context, status);
  }

  absl::Status CheckOptions(const CommandEntry& entry) const {
    if (!options_.server.empty() && entry.run_options != RunOptions::kServerOrFolder) {
      return absl::InvalidArgumentError(
          absl::StrCat("--server is ", options_.server, ", but this command asks no server"));
    }
    if (!options_.run.empty() && entry.run_options == RunOptions::kNone) {
      return absl::InvalidArgumentError(
          absl::StrCat("--run is ", options_.run, ", but this command reads no run"));
    }
    if (!options_.run.empty() && !options_.server.empty()) {
      return absl::InvalidArgumentError("--server and --run both name a run; give one of them");
    }
    return absl::OkStatus();
  }

  int Fail(CommandContext& context, const absl::Status& status) const {
    context.terminal.err << Called() << ": " << status.message() << "\n";
    return ExitCodeOf(status);
  }

  struct Declared {
    const CommandEntry* entry = nullptr;
    std::unique_ptr<Command> command;
  };

  const std::vector<CommandEntry>& entries_;
  ProgramOptions options_;
  CLI::App app_{"Tenor: distributed training over ordinary Ethernet", "tenor"};
  std::map<std::string, CLI::App*> groups_;
  std::map<const CLI::App*, Declared> commands_;
};

}  // namespace

int RunProgram(const std::vector<CommandEntry>& commands, const std::vector<std::string>& arguments,
               CommandContext& context) {
  return Program(commands).Run(arguments, context);
}

}  // namespace tenor

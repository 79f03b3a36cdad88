#include "base/status.h"

#include <numbers>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "cli/commands/commands.h"
#include "cli/commands/run_connection.h"
#include "cli/message_json.h"
#include "cli/printable.h"
#include "proto/tunable_words.h"

namespace tenor {
namespace {

std::string GoalText(const wire::RunStatus& status) {
  const spec::StopSpec& stop = status.stop();
  std::vector<std::string> goals;
  if (stop.updates() > 0) goals.push_back(absl::StrCat(stop.updates(), " updates"));
  if (stop.samples() > 0) goals.push_back(absl::StrCat(stop.samples(), " samples"));
  if (stop.data_epochs() > 0) goals.push_back(absl::StrCat(stop.data_epochs(), " epochs"));
  if (stop.loss_below() > 0) goals.push_back(absl::StrCat("loss below ", stop.loss_below()));
  return absl::StrJoin(goals, " or ");
}

std::string CheckpointText(const wire::RunStatus& status) {
  if (status.newest_checkpoint_age() < 0) return "none yet";
  const spec::CheckpointId& id = status.newest_checkpoint();
  return absl::StrFormat("v%09d-g%04d-r%09d, %s ago", id.version(), id.lineage(), id.round(),
                         SecondsText(status.newest_checkpoint_age()));
}

// Green where steps are made, yellow where not (ECMA-48, SGR).
std::string StateText(const wire::RunStatus& status, bool color) {
  const std::string state = absl::StrCat(
      Printable(status.state()), status.reason().empty() ? "" : ": ", Printable(status.reason()));
  if (!color) return state;
  return absl::StrCat(status.ready() ? "\x1b[32m" : "\x1b[33m", state, "\x1b[0m");
}

std::string Head(const wire::RunStatus& status, bool color) {
  std::string text = absl::StrCat("run         ", Printable(status.run()), " (",
                                  Printable(status.version_text()), ")\n");
  absl::StrAppend(&text, "state       ", StateText(status, color), "\n");
  absl::StrAppend(&text, "step        ", status.version(), ", to stop at ", GoalText(status), "\n");
  absl::StrAppendFormat(&text, "round       g%d r%d w%d\n", status.label().lineage(),
                        status.label().round(), status.label().view());
  absl::StrAppendFormat(&text, "loss        %.4f nats, %.4f bits a byte\n", status.loss_nats(),
                        status.loss_nats() / std::numbers::ln2);
  absl::StrAppendFormat(&text, "rate        %g, step time %s, %d samples so far\n",
                        status.learning_rate(), SecondsText(status.step_seconds()),
                        status.samples());
  absl::StrAppendFormat(&text, "rounds      %d applied, %d skipped, %d dropped, %d void\n",
                        status.applied(), status.skipped(), status.dropped(), status.voided());
  absl::StrAppend(&text, "checkpoint  ", CheckpointText(status), "\n");
  return absl::StrCat(text, "admin       ", Printable(status.admin_address()), "\n");
}

std::string Settings(const wire::RunStatus& status) {
  std::string text =
      absl::StrCat("tunables    ", absl::StrJoin(TunableWords(status.tunables()), " "), "\n");
  const std::vector<std::string> pending = TunableWords(status.pending());
  if (!pending.empty()) {
    absl::StrAppend(&text, "pending     ", absl::StrJoin(pending, " "), "\n");
  }
  return text;
}

std::string Servers(const wire::RunStatus& status) {
  std::string text;
  for (const wire::ServerStatus& server : status.servers()) {
    absl::StrAppendFormat(
        &text, "server %-4d %s  %s  step %d  heard %s ago  holds %s%s\n", server.index(),
        Printable(server.address()), Printable(server.phase()), server.version(),
        SecondsText(server.heard_ago()), BytesText(static_cast<double>(server.bytes_held())),
        server.problem().empty() ? "" : absl::StrCat("  problem: ", Printable(server.problem())));
  }
  return text;
}

std::string Members(const wire::RunStatus& status) {
  std::string text;
  for (const wire::MemberStatus& member : status.members()) {
    absl::StrAppendFormat(&text, "worker      %s  %s%s  heard %s ago  compute %s  wait %s  %s\n",
                          Printable(member.name()), Printable(member.state()),
                          member.reported() ? ", reported" : "", SecondsText(member.heard_ago()),
                          SecondsText(member.compute_seconds()), SecondsText(member.wait_seconds()),
                          Printable(member.address()));
  }
  for (const std::string& name : status.missing()) {
    absl::StrAppend(&text, "missing     ", Printable(name), "\n");
  }
  return text;
}

class ShowStatus : public Command {
 public:
  void Declare(CommandSyntax& syntax) override {
    syntax.Flag("json", &json_, "one line of JSON (RunStatus of proto/wire.proto)");
  }

  absl::Status Run(CommandContext& context) override {
    TENOR_ASSIGN_OR_RETURN(RunConnection run, RunConnection::Open(context));
    const absl::StatusOr<wire::RunStatus> status = run.client().GetStatus();
    TENOR_RETURN_IF_ERROR(run.Explain(status.status()));
    context.terminal.out << (json_ ? absl::StrCat(MessageJson(*status), "\n")
                                   : absl::StrCat(Head(*status, context.color), Settings(*status),
                                                  Servers(*status), Members(*status)));
    return absl::OkStatus();
  }

 private:
  bool json_ = false;
};

}  // namespace

CommandEntry StatusCommand() {
  return {.name = "status",
          .summary = "what a run does now: step, loss, servers, workers",
          .examples =
              "  tenor --server node0:7400 status\n"
              "  tenor status --run tenor-runs/mlstm-fortunes --json\n",
          .run_options = RunOptions::kServerOrFolder,
          .create = [] { return std::make_unique<ShowStatus>(); }};
}

}  // namespace tenor

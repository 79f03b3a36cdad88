#include <cstdint>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "cli/commands/commands.h"
#include "cli/job_plan.h"
#include "proto/job_identity.h"
#include "proto/parse.h"

namespace tenor {
namespace {

class JobCheck : public Command {
 public:
  void Declare(CommandSyntax& syntax) override {
    syntax.Argument("FILE", &file_, "a JobSpec");
    syntax.Option("servers", &servers_, "of the cluster that the plan is for");
    syntax.Option("workers", &workers_, "of the cluster that the plan is for");
    syntax.Flag("json", &json_, "the plan alone, as one line of JSON");
  }

  absl::Status Run(CommandContext& context) override {
    TENOR_ASSIGN_OR_RETURN(const std::string text, context.files.ReadFile(file_));
    TENOR_ASSIGN_OR_RETURN(const spec::JobSpec job,
                           ParseJobSpec(text, file_, DataReference::kPathOrDigest));
    TENOR_ASSIGN_OR_RETURN(const JobPlan plan, PlanJob(job, servers_, workers_));
    if (json_) {
      context.terminal.out << PlanJson(plan) << "\n";
    } else {
      // A comment in text format, so that the output is a job file again.
      context.terminal.out << PrintText(job) << "# job hash           " << JobHashText(JobHash(job))
                           << "\n"
                           << PlanText(plan);
    }
    return absl::OkStatus();
  }

 private:
  std::string file_;
  int64_t servers_ = 1;
  int64_t workers_ = 1;
  bool json_ = false;
};

}  // namespace

CommandEntry JobCheckCommand() {
  return {.name = "job check",
          .summary = "a job with all defaults filled in, and what it costs",
          .examples =
              "  tenor job check deploy/jobs/mlstm-fortunes.textproto\n"
              "  tenor job check job.textproto --servers 4 --workers 8 --json\n",
          .create = [] { return std::make_unique<JobCheck>(); }};
}

}  // namespace tenor

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/path.h"
#include "base/status.h"
#include "cli/commands/commands.h"
#include "cli/commands/loaded_model.h"
#include "cli/commands/thread_count.h"
#include "cli/printable.h"
#include "cli/progress_line.h"
#include "data/text_reader.h"
#include "model/evaluate.h"
#include "nlohmann/json.hpp"

namespace tenor {
namespace {

constexpr int64_t kReadBytes = 4096;

struct Result {
  double bits = 0;
  int64_t counted = 0;
  double seconds = 0;
};

// heldout.bin as one stream from a zero state.
absl::StatusOr<Result> EvaluateHeldOut(CommandContext& context, const TextDataSet& data,
                                       ByteModel* model) {
  StreamEvaluator evaluator(model);
  ProgressLine line(context.terminal.err, context.terminal.err_is_terminal,
                    context.terminal.columns);
  const absl::Duration start = context.clock.Now();
  std::vector<uint8_t> buffer(kReadBytes);
  for (int64_t at = 0; at < data.heldout_bytes(); at += kReadBytes) {
    const auto size = static_cast<size_t>(std::min(kReadBytes, data.heldout_bytes() - at));
    const std::span<uint8_t> piece = std::span(buffer).first(size);
    TENOR_RETURN_IF_ERROR(data.ReadHeldOut(at, piece));
    TENOR_RETURN_IF_ERROR(evaluator.Add(piece));
    const absl::Duration now = context.clock.Now();
    if (line.IsDue(now) && evaluator.counted() > 0) {
      line.Show(now, absl::StrFormat("%s of %s, %.4f bits a byte so far",
                                     BytesText(static_cast<double>(evaluator.counted())),
                                     BytesText(static_cast<double>(data.heldout_bytes())),
                                     *evaluator.BitsPerCharacter()));
    }
  }
  line.Clear();
  TENOR_ASSIGN_OR_RETURN(const double bits, evaluator.BitsPerCharacter());
  return Result{bits, evaluator.counted(), absl::ToDoubleSeconds(context.clock.Now() - start)};
}

class Eval : public Command {
 public:
  void Declare(CommandSyntax& syntax) override {
    syntax.Option("data_dir", &data_dir_,
                  "folder made by `tenor data text`; default: the job's path");
    syntax.Option("checkpoint", &checkpoint_, "its name; default: the newest complete one");
    syntax.Option("job", &job_, "a job file instead of --run, with --initial");
    syntax.Flag("initial", &initial_, "the untrained model of --job");
    syntax.Option("threads", &threads_, "0 = the cores that this process may use");
    syntax.Flag("json", &json_, "one line of JSON");
  }

  absl::Status Run(CommandContext& context) override {
    TENOR_RETURN_IF_ERROR(CheckFlags(context));
    TENOR_ASSIGN_OR_RETURN(const int threads, ThreadCount(threads_, context.cores));
    TENOR_ASSIGN_OR_RETURN(const LoadedModel loaded,
                           initial_ ? LoadInitialModel(context, job_, threads)
                                    : LoadCheckpointModel(context, checkpoint_, threads));
    TENOR_ASSIGN_OR_RETURN(const std::string folder, DataFolder(loaded));
    TENOR_ASSIGN_OR_RETURN(const auto data, OpenTextDataSet(context.files, folder));
    // A job that names its data by path alone has no digest to compare.
    if (!loaded.job.data().text().digest().empty()) {
      TENOR_RETURN_IF_ERROR(CheckIsDataSetOf(*data, loaded.job.data().text()));
    }
    TENOR_ASSIGN_OR_RETURN(const Result result,
                           EvaluateHeldOut(context, *data, loaded.model.get()));
    Print(context, loaded, result);
    return absl::OkStatus();
  }

 private:
  absl::Status CheckFlags(const CommandContext& context) const {
    if (initial_ != !job_.empty()) {
      return absl::InvalidArgumentError(
          initial_ ? "--initial needs --job FILE, the job whose untrained model is meant"
                   : absl::StrCat("--job is ", job_,
                                  " without --initial; a job file has no "
                                  "trained weights: give --run DIR, or add --initial"));
    }
    if (initial_ && !(context.run.empty() && checkpoint_.empty())) {
      return absl::InvalidArgumentError(
          "--initial takes no checkpoint; leave --run and --checkpoint out");
    }
    return absl::OkStatus();
  }

  absl::StatusOr<std::string> DataFolder(const LoadedModel& loaded) const {
    if (!data_dir_.empty()) return data_dir_;
    const std::string& path = loaded.job.data().text().path();
    if (path.empty()) {
      return absl::InvalidArgumentError(
          "--data_dir is missing: the job does not say where its data set lies");
    }
    return JoinPath(DirectoryName(job_), path);
  }

  void Print(CommandContext& context, const LoadedModel& loaded, const Result& result) const {
    if (json_) {
      const nlohmann::ordered_json line = {{"model", loaded.origin},
                                           {"step", loaded.step},
                                           {"bits_per_character", result.bits},
                                           {"bytes", result.counted},
                                           {"seconds", result.seconds}};
      context.terminal.out << line.dump(-1, ' ', false,
                                        nlohmann::ordered_json::error_handler_t::replace)
                           << "\n";
      return;
    }
    context.terminal.out << absl::StrFormat(
        "%s, step %d: %.4f bits per character over %d held-out bytes (%s)\n", loaded.origin,
        loaded.step, result.bits, result.counted, SecondsText(result.seconds));
  }

  std::string data_dir_;
  std::string checkpoint_;
  std::string job_;
  bool initial_ = false;
  int64_t threads_ = 0;
  bool json_ = false;
};

}  // namespace

CommandEntry EvalCommand() {
  return {.name = "eval",
          .summary = "bits per character of a checkpoint on held-out text",
          .examples =
              "  tenor eval --run tenor-runs/mlstm-fortunes --data_dir data/fortunes\n"
              "  tenor eval --job deploy/jobs/mlstm-fortunes.textproto --initial --data_dir "
              "data/fortunes\n",
          .run_options = RunOptions::kFolder,
          .create = [] { return std::make_unique<Eval>(); }};
}

}  // namespace tenor

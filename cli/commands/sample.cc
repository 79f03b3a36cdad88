#include "model/sample.h"

#include <cstdint>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "cli/commands/commands.h"
#include "cli/commands/loaded_model.h"
#include "cli/commands/thread_count.h"
#include "cli/printable.h"

namespace tenor {
namespace {

class SampleText : public Command {
 public:
  void Declare(CommandSyntax& syntax) override {
    syntax.Option("prompt", &prompt_, "what the text begins with, one byte or more");
    syntax.Option("bytes", &bytes_, "how many bytes to write after it");
    syntax.Option("temperature", &temperature_, "0 = always the likeliest byte");
    syntax.Option("seed", &seed_, "of the draws");
    syntax.Option("checkpoint", &checkpoint_, "its name; default: the newest complete one");
    syntax.Option("threads", &threads_, "0 = the cores that this process may use");
    syntax.Flag("raw", &raw_, "the bytes as they are, without the prompt");
  }

  absl::Status Run(CommandContext& context) override {
    if (prompt_.empty()) {
      return absl::InvalidArgumentError("--prompt is empty; give one byte or more");
    }
    if (bytes_ < 0 || bytes_ > int64_t{1} << 30) {
      return absl::InvalidArgumentError(
          absl::StrCat("--bytes is ", bytes_, "; allowed are 0 to ", int64_t{1} << 30));
    }
    TENOR_ASSIGN_OR_RETURN(const int threads, ThreadCount(threads_, context.cores));
    TENOR_ASSIGN_OR_RETURN(const LoadedModel loaded,
                           LoadCheckpointModel(context, checkpoint_, threads));
    TENOR_ASSIGN_OR_RETURN(const std::string text,
                           Sample(*loaded.model, {.prompt = prompt_,
                                                  .bytes = bytes_,
                                                  .temperature = temperature_,
                                                  .seed = static_cast<uint64_t>(seed_)}));
    if (raw_) {
      context.terminal.out << text;
    } else {
      context.terminal.out << Printable(absl::StrCat(prompt_, text), /*keep_lines=*/true) << "\n";
    }
    return absl::OkStatus();
  }

 private:
  std::string prompt_ = " ";
  int64_t bytes_ = 300;
  double temperature_ = 1;
  int64_t seed_ = 1;
  std::string checkpoint_;
  int64_t threads_ = 0;
  bool raw_ = false;
};

}  // namespace

CommandEntry SampleCommand() {
  return {.name = "sample",
          .summary = "text written by a checkpoint's model",
          .examples =
              "  tenor sample --run tenor-runs/mlstm-fortunes --prompt 'The ' --bytes 300 "
              "--temperature 0.7\n",
          .run_options = RunOptions::kFolder,
          .create = [] { return std::make_unique<SampleText>(); }};
}

}  // namespace tenor

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/status.h"
#include "cli/command_context.h"
#include "cli/commands/commands.h"
#include "cli/commands/thread_count.h"
#include "cli/message_json.h"
#include "cli/printable.h"
#include "cli/progress_line.h"
#include "data/separator.h"
#include "data/text_dataset.h"

namespace tenor {
namespace {

std::string ProgressText(const TextDataSetProgress& progress) {
  const double total = static_cast<double>(progress.bytes_total);
  const double done = static_cast<double>(progress.bytes_done);
  return absl::StrFormat("%s  %s of %s (%.0f%%)  %d documents",
                         progress.is_shuffling ? "shuffling" : "reading", BytesText(done),
                         BytesText(total), total > 0 ? 100 * done / total : 100.0,
                         progress.documents);
}

// What the data set is, and the lines that a JobSpec takes.
std::string Summary(const BuiltTextDataSet& built, const std::string& folder) {
  const spec::DataSet& set = built.data_set;
  std::string text = absl::StrFormat(
      "%s %s: %d documents, %d bytes to train on; %d documents, %d bytes held out\n",
      built.was_there ? "already there:" : "made", folder, set.train().documents(),
      set.train().bytes(), set.heldout().documents(), set.heldout().bytes());
  if (built.skipped_files > 0) {
    absl::StrAppend(&text, "files left out (no text): ", built.skipped_files, "\n");
  }
  return absl::StrCat(text, "for a JobSpec:\n  data { text { digest: \"", built.digest,
                      "\" bytes: ", set.train().bytes(), " } }\n");
}

class DataText : public Command {
 public:
  void Declare(CommandSyntax& syntax) override {
    syntax.Arguments("IN", &inputs_, "text files, or folders of them");
    syntax.Option("out", &out_, "folder of the data set (needed)");
    syntax.Option("separator", &separator_,
                  "how documents are told apart: blank, line:TEXT, line, csv:COLUMN, jsonl:COLUMN");
    syntax.Option("column", &column_, "the column, for --separator csv or jsonl");
    syntax.Option("heldout_fraction", &heldout_fraction_, "of the documents, [0, 1)");
    syntax.Option("seed", &seed_, "of the order and of what is held out");
    syntax.Option("threads", &threads_, "0 = the cores that this process may use");
    syntax.Flag("json", &json_, "print dataset.textproto as one line of JSON, and the digest");
  }

  absl::Status Run(CommandContext& context) override {
    TENOR_ASSIGN_OR_RETURN(const TextDataSetOptions options, Options(context));
    ProgressLine line(context.terminal.err, context.terminal.err_is_terminal,
                      context.terminal.columns);
    const auto built =
        BuildTextDataSet(context.files, options, [&](const TextDataSetProgress& progress) {
          const absl::Duration now = context.clock.Now();
          if (line.IsDue(now)) line.Show(now, ProgressText(progress));
        });
    line.Clear();
    TENOR_RETURN_IF_ERROR(built.status());
    if (json_) {
      context.terminal.out << "{\"digest\":\"" << built->digest
                           << "\",\"data_set\":" << MessageJson(built->data_set) << "}\n";
    } else {
      context.terminal.out << Summary(*built, out_);
    }
    return absl::OkStatus();
  }

 private:
  absl::StatusOr<TextDataSetOptions> Options(const CommandContext& context) const {
    if (out_.empty()) return absl::InvalidArgumentError("--out is missing: the data set's folder");
    TENOR_ASSIGN_OR_RETURN(const int threads, ThreadCount(threads_, context.cores));
    const std::string name = column_.empty() ? separator_ : absl::StrCat(separator_, ":", column_);
    TENOR_ASSIGN_OR_RETURN(const Separator separator, ParseSeparator(name));
    return TextDataSetOptions{.inputs = inputs_,
                              .output = out_,
                              .separator = separator,
                              .seed = seed_,
                              .heldout_fraction = heldout_fraction_,
                              .threads = threads};
  }

  std::vector<std::string> inputs_;
  std::string out_;
  std::string separator_ = "blank";
  std::string column_;
  double heldout_fraction_ = 0.01;
  int64_t seed_ = 1;
  int64_t threads_ = 0;
  bool json_ = false;
};

}  // namespace

CommandEntry DataTextCommand() {
  return {.name = "data text",
          .summary = "make a data set for byte models from text files",
          .examples =
              "  tenor data text corpus.txt --out data/corpus\n"
              "  tenor data text /usr/share/games/fortunes --out data/fortunes --separator line:% "
              "--heldout_fraction 0.05\n"
              "  tenor data text reviews.csv --out data/reviews --separator csv --column text\n",
          .create = [] { return std::make_unique<DataText>(); }};
}

}  // namespace tenor

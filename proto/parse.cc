#include "proto/parse.h"

#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/text_format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "proto/text_place.h"

namespace tenor {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::TextFormat;

absl::Status ErrorAt(absl::string_view file_name, TextPlace place, absl::string_view sentence) {
  return absl::InvalidArgumentError(
      absl::StrCat(file_name, ":", place.line + 1, ":", place.column + 1, ": ", sentence));
}

// Keeps the first error: later ones are consequences.
class FirstError : public google::protobuf::io::ErrorCollector {
 public:
  void AddError(int line, google::protobuf::io::ColumnNumber column,
                const std::string& message) override {
    if (!sentence_.empty()) return;
    place_ = {std::max(line, 0), std::max(column, 0)};
    sentence_ = message;
  }
  absl::Status Status(absl::string_view text, absl::string_view file_name) const {
    if (sentence_.empty()) return ErrorAt(file_name, {}, "is malformed");
    const absl::string_view shown = absl::string_view(sentence_).substr(0, 300);
    return ErrorAt(file_name, PlaceOfQuotedName(text, place_, sentence_), Escaped(shown));
  }

 private:
  // Control characters as hexadecimal escapes; quotes stay.
  static std::string Escaped(absl::string_view sentence) {
    return absl::StrReplaceAll(absl::CHexEscape(sentence), {{"\\\"", "\""}, {"\\'", "'"}});
  }

  TextPlace place_;
  std::string sentence_;
};

// "leases[3]" -> the field and 3; index -1 where there is none.
struct Step {
  const FieldDescriptor* field = nullptr;
  int index = -1;
};

Step ParseStep(const Descriptor& message, absl::string_view part) {
  const std::pair<absl::string_view, absl::string_view> pieces =
      absl::StrSplit(part, absl::MaxSplits('[', 1));
  Step step;
  step.field = message.FindFieldByName(std::string(pieces.first));
  if (step.field == nullptr || !step.field->is_repeated()) return step;
  if (!absl::SimpleAtoi(absl::StripSuffix(pieces.second, "]"), &step.index)) step.index = 0;
  return step;
}

// Of the field itself, or of its nearest ancestor that stands in the text.
TextPlace FindPlace(const TextFormat::ParseInfoTree& root, const Descriptor& type,
                    absl::string_view path) {
  TextPlace place;
  const TextFormat::ParseInfoTree* tree = &root;
  const Descriptor* message = &type;
  for (const absl::string_view part : absl::StrSplit(path, '.')) {
    if (tree == nullptr || message == nullptr) break;
    const Step step = ParseStep(*message, part);
    if (step.field == nullptr) break;
    const TextFormat::ParseLocation location = tree->GetLocation(step.field, step.index);
    if (location.line < 0) break;
    place = {location.line, location.column};
    message = step.field->message_type();
    tree = message == nullptr ? nullptr : tree->GetTreeForNested(step.field, step.index);
  }
  return place;
}

absl::Status ParseMessage(absl::string_view text, absl::string_view file_name,
                          google::protobuf::Message* message,
                          TextFormat::ParseInfoTree* locations) {
  if (text.size() > kMaxTextBytes) {
    return ErrorAt(file_name, {},
                   absl::StrCat("has ", text.size(), " bytes; allowed are ", kMaxTextBytes));
  }
  FirstError error;
  TextFormat::Parser parser;
  parser.RecordErrorsTo(&error);
  parser.WriteLocationsTo(locations);
  parser.SetRecursionLimit(20);
  google::protobuf::io::ArrayInputStream stream(text.data(), static_cast<int>(text.size()));
  if (!parser.Parse(&stream, message)) return error.Status(text, file_name);
  return absl::OkStatus();
}

template <typename Message, typename Find>
absl::StatusOr<Message> ParseAndFind(absl::string_view text, absl::string_view file_name,
                                     Find find) {
  Message message;
  TextFormat::ParseInfoTree locations;
  const absl::Status parsed = ParseMessage(text, file_name, &message, &locations);
  if (!parsed.ok()) return parsed;
  const std::optional<Violation> violation = find(message);
  if (!violation.has_value()) return message;
  return ErrorAt(file_name, FindPlace(locations, *Message::descriptor(), violation->field),
                 absl::StrCat(violation->field, " ", violation->sentence));
}

template <typename Message>
absl::StatusOr<Message> ParseValid(absl::string_view text, absl::string_view file_name) {
  return ParseAndFind<Message>(text, file_name,
                               [](const Message& message) { return FindViolation(message); });
}

}  // namespace

absl::StatusOr<spec::JobSpec> ParseJobSpec(absl::string_view text, absl::string_view file_name,
                                           DataReference reference) {
  absl::StatusOr<spec::JobSpec> job = ParseAndFind<spec::JobSpec>(
      text, file_name,
      [reference](const spec::JobSpec& parsed) { return FindViolation(parsed, reference); });
  if (!job.ok()) return job;
  return FillDefaults(*std::move(job));
}

absl::StatusOr<spec::Manifest> ParseManifest(absl::string_view text, absl::string_view file_name) {
  return ParseValid<spec::Manifest>(text, file_name);
}

absl::StatusOr<spec::LineageClaim> ParseLineageClaim(absl::string_view text,
                                                     absl::string_view file_name) {
  return ParseValid<spec::LineageClaim>(text, file_name);
}

absl::StatusOr<spec::DataSet> ParseDataSet(absl::string_view text, absl::string_view file_name) {
  return ParseValid<spec::DataSet>(text, file_name);
}

absl::StatusOr<spec::Endpoints> ParseEndpoints(absl::string_view text,
                                               absl::string_view file_name) {
  return ParseAndFind<spec::Endpoints>(
      text, file_name, [](const spec::Endpoints&) { return std::optional<Violation>(); });
}

std::string PrintText(const google::protobuf::Message& message) {
  std::string text;
  TextFormat::Printer printer;
  printer.PrintToString(message, &text);
  return text;
}

std::string PrintLine(const google::protobuf::Message& message) {
  std::string text;
  TextFormat::Printer printer;
  printer.SetSingleLineMode(true);
  printer.PrintToString(message, &text);
  return std::string(absl::StripTrailingAsciiWhitespace(text));
}

}  // namespace tenor

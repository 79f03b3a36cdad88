#include "proto/job_identity.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/text_format.h>
#include <google/protobuf/util/message_differencer.h>

#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/random.h"
#include "proto/validate.h"

namespace tenor {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::util::MessageDifferencer;

spec::JobSpec Normal(const spec::JobSpec& job) {
  spec::JobSpec normal = FillDefaults(job);
  if (normal.data().has_text()) normal.mutable_data()->mutable_text()->clear_path();
  return normal;
}

std::string Serialise(const Message& message) {
  std::string bytes;
  {
    google::protobuf::io::StringOutputStream stream(&bytes);
    google::protobuf::io::CodedOutputStream coded(&stream);
    coded.SetSerializationDeterministic(true);
    message.SerializeToCodedStream(&coded);
  }
  return bytes;
}

// Little-endian, zeros behind the end: the length is mixed in at the start.
uint64_t WordAt(const std::string& bytes, size_t offset) {
  uint64_t word = 0;
  for (size_t i = 0; i < 8 && offset + i < bytes.size(); ++i) {
    word |= uint64_t{static_cast<unsigned char>(bytes[offset + i])} << (8 * i);
  }
  return word;
}

std::string PathOf(const std::vector<MessageDifferencer::SpecificField>& path) {
  std::string text;
  for (const MessageDifferencer::SpecificField& step : path) {
    if (step.field == nullptr) continue;
    absl::StrAppend(&text, text.empty() ? "" : ".", step.field->name());
  }
  return text;
}

// JobSpec has no repeated fields.
std::string ValueOf(const Message& message, const FieldDescriptor* field) {
  if (field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
    const Message& part = message.GetReflection()->GetMessage(message, field);
    std::string text;
    google::protobuf::TextFormat::Printer printer;
    printer.SetSingleLineMode(true);
    printer.PrintToString(part, &text);
    return absl::StrCat("{ ", text, text.empty() || text.back() == ' ' ? "" : " ", "}");
  }
  std::string text;
  google::protobuf::TextFormat::PrintFieldValueToString(message, field, -1, &text);
  return text;
}

class LineReporter : public MessageDifferencer::Reporter {
 public:
  using Path = std::vector<MessageDifferencer::SpecificField>;

  void ReportAdded(const Message&, const Message& to, const Path& path) override {
    Add(path, "absent", ValueOf(to, path.back().field));
  }
  void ReportDeleted(const Message& from, const Message&, const Path& path) override {
    Add(path, ValueOf(from, path.back().field), "absent");
  }
  void ReportModified(const Message& from, const Message& to, const Path& path) override {
    if (path.back().field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) return;
    Add(path, ValueOf(from, path.back().field), ValueOf(to, path.back().field));
  }
  std::vector<std::string> TakeLines() { return std::move(lines_); }

 private:
  void Add(const Path& path, absl::string_view from, absl::string_view to) {
    lines_.push_back(absl::StrCat(PathOf(path), ": ", from, " -> ", to));
  }

  std::vector<std::string> lines_;
};

}  // namespace

uint64_t JobHash(const spec::JobSpec& job) {
  const std::string bytes = Serialise(Normal(job));
  uint64_t hash = Mix64(bytes.size());
  for (size_t offset = 0; offset < bytes.size(); offset += 8) {
    hash = Mix64(hash ^ WordAt(bytes, offset));
  }
  return hash;
}

std::string JobHashText(uint64_t hash) { return absl::StrCat(absl::Hex(hash, absl::kZeroPad16)); }

std::vector<std::string> DiffJobSpecs(const spec::JobSpec& from, const spec::JobSpec& to) {
  LineReporter reporter;
  MessageDifferencer differencer;
  differencer.ReportDifferencesTo(&reporter);
  differencer.Compare(Normal(from), Normal(to));
  return reporter.TakeLines();
}

}  // namespace tenor

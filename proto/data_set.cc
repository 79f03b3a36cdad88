#include <limits>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "proto/field_checks.h"
#include "proto/validate.h"

namespace tenor {
namespace {

constexpr int64_t kMaxBytes = int64_t{1} << 50;

void CheckFile(absl::string_view field, const spec::DataFile& file, FieldChecks* checks) {
  FieldChecks own;
  own.Name("name", file.name(), 128);
  own.That(file.name() != "." && file.name() != "..", "name",
           "is a folder; allowed is the name of a file");
  own.Integer("bytes", file.bytes(), 0, kMaxBytes);
  own.Integer("documents", file.documents(), 0, kMaxBytes);
  checks->Part(field, std::move(own).First());
}

bool IsSeparator(absl::string_view separator) {
  if (separator == "blank" || separator == "line") return true;
  for (const absl::string_view prefix : {"line:", "csv:", "jsonl:"}) {
    if (absl::StartsWith(separator, prefix)) return separator.size() > prefix.size();
  }
  return false;
}

void CheckIndex(const spec::DataSet& data_set, FieldChecks* checks) {
  const int64_t documents = data_set.train().documents() + data_set.heldout().documents();
  checks->Integer("index.documents", data_set.index().documents(), documents, documents);
  checks->Integer("index.bytes", data_set.index().bytes(), 8 * documents, 8 * documents);
}

}  // namespace

std::optional<Violation> FindViolation(const spec::DataSet& data_set) {
  FieldChecks checks;
  checks.Integer("format_major", data_set.format_major(), 1, 1);
  checks.Integer("format_minor", data_set.format_minor(), 0, INT32_MAX);
  checks.That(data_set.kind() == "text", "kind", "is unknown; allowed is \"text\"");
  checks.That(
      data_set.heldout_fraction() >= 0 && data_set.heldout_fraction() < 1, "heldout_fraction",
      absl::StrCat("is ", data_set.heldout_fraction(), "; allowed are numbers from 0 to below 1"));
  checks.That(IsSeparator(data_set.separator()), "separator",
              "is unknown; allowed are blank, line, line:TEXT, csv:COLUMN, jsonl:COLUMN");
  checks.That(data_set.preprocessing() == "oai", "preprocessing", "is unknown; allowed is \"oai\"");
  CheckFile("train", data_set.train(), &checks);
  CheckFile("heldout", data_set.heldout(), &checks);
  CheckFile("index", data_set.index(), &checks);
  checks.Integer("train.bytes", data_set.train().bytes(), 2, kMaxBytes);
  CheckIndex(data_set, &checks);
  checks.Integer("empty_documents", data_set.empty_documents(), 0, INT64_MAX);
  return std::move(checks).First();
}

}  // namespace tenor

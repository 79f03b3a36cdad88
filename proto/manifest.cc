#include <limits>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "proto/field_checks.h"
#include "proto/job_identity.h"
#include "proto/text_segments.h"
#include "proto/validate.h"

namespace tenor {
namespace {

constexpr int kFormatMajor = 1;
constexpr int kMaxShards = 4096;
constexpr int64_t kMaxElements = int64_t{1} << 40;
constexpr int kMaxTensorRank = 8;
constexpr size_t kMaxTensorName = 256;

// ---------------------------------------------------------------- record

void CheckOpenSegment(absl::string_view field, const spec::OpenSegment& open,
                      const spec::JobSpec& job, FieldChecks* checks) {
  const spec::TextData& text = job.data().text();
  FieldChecks own;
  own.Integer("pass", open.pass(), 0, INT64_MAX);
  own.Integer("segment", open.segment(), 0, SegmentCount(text) - 1);
  if (!own.failed()) {
    own.Integer("position", open.position(), 0, SegmentRangeOf(text, open.segment()).size());
  }
  own.Integer("lane", open.lane(), 0, job.batch().micro_batch() - 1);
  if (!open.holder().empty()) own.Name("holder", open.holder(), 128);
  checks->Part(field, std::move(own).First());
}

void CheckLedger(const spec::Ledger& ledger, const spec::JobSpec& job, FieldChecks* checks) {
  checks->Integer("ledger.pass", ledger.pass(), 0, INT64_MAX);
  checks->Integer("ledger.dealt", ledger.dealt(), 0, SegmentCount(job.data().text()));
  checks->Integer("ledger.committed_samples", ledger.committed_samples(), 0, INT64_MAX);
  absl::flat_hash_set<std::pair<int64_t, int64_t>> seen;
  for (int i = 0; i < ledger.open_size() && !checks->failed(); ++i) {
    const spec::OpenSegment& open = ledger.open(i);
    const std::string field = absl::StrCat("ledger.open[", i, "]");
    CheckOpenSegment(field, open, job, checks);
    checks->That(seen.emplace(open.pass(), open.segment()).second, field,
                 absl::StrCat("repeats segment ", open.segment(), " of pass ", open.pass()));
  }
}

// ---------------------------------------------------------------- layout

// Elements of one tensor, -1 where the shape is not sound.
int64_t ElementsOf(const spec::TensorEntry& tensor) {
  if (tensor.shape_size() < 1 || tensor.shape_size() > kMaxTensorRank) return -1;
  int64_t elements = 1;
  for (const int64_t size : tensor.shape()) {
    if (size < 1 || size > kMaxElements / elements) return -1;
    elements *= size;
  }
  return elements;
}

void CheckLayout(const spec::Manifest& manifest, FieldChecks* checks) {
  int64_t end = 0;
  absl::flat_hash_set<std::string> names;
  for (int i = 0; i < manifest.layout_size() && !checks->failed(); ++i) {
    const spec::TensorEntry& tensor = manifest.layout(i);
    const std::string field = absl::StrCat("layout[", i, "]");
    const int64_t elements = ElementsOf(tensor);
    checks->Name(absl::StrCat(field, ".name"), tensor.name(), kMaxTensorName);
    checks->That(names.insert(tensor.name()).second, absl::StrCat(field, ".name"),
                 absl::StrCat("repeats ", tensor.name()));
    checks->That(elements > 0, absl::StrCat(field, ".shape"),
                 "is not sound; allowed are 1 to 8 sizes above 0 with at most 2^40 elements");
    checks->Integer(absl::StrCat(field, ".offset"), tensor.offset(), end, end);
    end += elements;
    checks->Integer("elements", end, 1, kMaxElements);
  }
  checks->Integer("elements", manifest.elements(), end, end);
  checks->Integer("elements", manifest.elements(), 1, kMaxElements);
}

// ---------------------------------------------------------------- files

void CheckFiles(const spec::Manifest& manifest, FieldChecks* checks) {
  checks->Integer("shards", manifest.shards(), 1, kMaxShards);
  checks->That(manifest.files_size() == manifest.shards(), "files",
               absl::StrCat("has ", manifest.files_size(),
                            " entries; allowed is one a shard: ", manifest.shards()));
  absl::flat_hash_set<std::string> names;
  for (int i = 0; i < manifest.files_size() && !checks->failed(); ++i) {
    const spec::CheckpointFile& file = manifest.files(i);
    const std::string field = absl::StrCat("files[", i, "]");
    checks->Name(absl::StrCat(field, ".name"), file.name(), 128);
    checks->That(file.name() != "." && file.name() != "..", absl::StrCat(field, ".name"),
                 "is a folder; allowed is the name of a file");
    checks->That(names.insert(file.name()).second, absl::StrCat(field, ".name"),
                 absl::StrCat("repeats ", file.name()));
    checks->Integer(absl::StrCat(field, ".bytes"), file.bytes(), 1, INT64_MAX);
  }
}

void CheckId(const spec::Manifest& manifest, FieldChecks* checks) {
  const spec::CheckpointId& id = manifest.id();
  checks->Integer("id.lineage", id.lineage(), 1, INT64_MAX);
  checks->Integer("id.round", id.round(), 0, INT64_MAX);
  checks->Integer("id.version", id.version(), 0, id.round());
  checks->Integer("record.round", manifest.record().round(), id.round(), id.round());
  checks->Integer("record.version", manifest.record().version(), id.version(), id.version());
}

void CheckFormat(const spec::Manifest& manifest, FieldChecks* checks) {
  checks->Integer("format_major", manifest.format_major(), kFormatMajor, kFormatMajor);
  checks->Integer("format_minor", manifest.format_minor(), 0, INT32_MAX);
  absl::Time time;
  std::string error;
  checks->That(absl::ParseTime(absl::RFC3339_full, manifest.wall_time(), &time, &error),
               "wall_time", "is malformed; allowed is RFC 3339: 2026-11-30T19:44:01Z");
}

void CheckJob(const spec::Manifest& manifest, FieldChecks* checks) {
  checks->Part("job", FindViolation(manifest.job()));
  if (checks->failed()) return;
  const uint64_t hash = JobHash(manifest.job());
  checks->That(manifest.job_hash() == hash, "job_hash",
               absl::StrCat("is ", JobHashText(manifest.job_hash()),
                            "; the job stored beside it has ", JobHashText(hash)));
}

}  // namespace

std::optional<Violation> FindViolation(const spec::Record& record, const spec::JobSpec& job) {
  FieldChecks checks;
  checks.Integer("round", record.round(), 0, INT64_MAX);
  checks.Integer("version", record.version(), 0, record.round());
  CheckLedger(record.ledger(), job, &checks);
  checks.Integer("samples", record.samples(), 0, record.ledger().committed_samples());
  checks.Integer("scaler.log2", record.scaler().log2(), job.loss_scale().minimum_log2(),
                 job.loss_scale().maximum_log2());
  checks.Integer("scaler.clean_rounds", record.scaler().clean_rounds(), 0, INT32_MAX);
  checks.Integer("scaler.skips", record.scaler().skips(), 0, INT32_MAX);
  checks.Integer("scaler.drops", record.scaler().drops(), 0, INT32_MAX);
  checks.Part("tunables", FindViolationOfAccepted(record.tunables()));
  for (int i = 0; i < record.members_size() && !checks.failed(); ++i) {
    checks.Name(absl::StrCat("members[", i, "]"), record.members(i), 128);
  }
  return std::move(checks).First();
}

std::optional<Violation> FindViolation(const spec::Manifest& manifest) {
  FieldChecks checks;
  CheckFormat(manifest, &checks);
  CheckJob(manifest, &checks);
  CheckId(manifest, &checks);
  if (!checks.failed()) {
    checks.Part("record", FindViolation(manifest.record(), FillDefaults(manifest.job())));
  }
  checks.Integer("chunk_elements", manifest.chunk_elements(), 1, kMaxChunkElements);
  CheckLayout(manifest, &checks);
  CheckFiles(manifest, &checks);
  return std::move(checks).First();
}

std::optional<Violation> FindViolation(const spec::LineageClaim& claim) {
  FieldChecks checks;
  checks.Integer("lineage", claim.lineage(), 1, INT64_MAX);
  if (!claim.has_base()) return std::move(checks).First();
  const spec::CheckpointId& base = claim.base();
  checks.Integer("base.lineage", base.lineage(), 0, claim.lineage() - 1);
  checks.Integer("base.round", base.round(), 0, INT64_MAX);
  checks.Integer("base.version", base.version(), 0, base.round());
  checks.That(base.lineage() > 0 || base.round() == 0, "base.round",
              absl::StrCat("is ", base.round(), "; allowed is 0 where base.lineage is 0"));
  checks.Part("tunables", FindViolationOfAccepted(claim.tunables()));
  return std::move(checks).First();
}

}  // namespace tenor

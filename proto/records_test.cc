#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "proto/job_examples.h"
#include "proto/job_identity.h"
#include "proto/parse.h"
#include "proto/validate.h"

namespace tenor {
namespace {

spec::JobSpec Job() { return *ParseJobSpec(kExampleJob, "job.textproto"); }

spec::Directive ValidDirective() {
  spec::Directive directive;
  directive.mutable_label()->set_lineage(1);
  directive.mutable_label()->set_round(3);
  directive.mutable_label()->set_view(2);
  directive.set_accumulation_steps(1);
  directive.set_push_codec(spec::Codec::FP16);
  directive.set_pull_codec(spec::Codec::FP32);
  spec::Lease* lease = directive.add_leases();
  lease->set_segment(121);
  lease->set_to(8191);
  lease->set_lane(15);
  spec::ShardAddress* shard = directive.add_shards();
  shard->set_address("node0:7400");
  return directive;
}

spec::Manifest ValidManifest() {
  spec::Manifest manifest;
  manifest.set_format_major(1);
  *manifest.mutable_job() = Job();
  manifest.set_job_hash(JobHash(Job()));
  manifest.mutable_id()->set_lineage(1);
  manifest.mutable_id()->set_round(5);
  manifest.mutable_id()->set_version(4);
  spec::Record* record = manifest.mutable_record();
  record->set_round(5);
  record->set_version(4);
  record->set_samples(16384);
  *record->mutable_tunables() = DefaultTunables();
  record->add_members("node0-0");
  record->mutable_ledger()->set_dealt(1);
  record->mutable_ledger()->set_committed_samples(16384);
  record->mutable_ledger()->add_open()->set_position(256);
  manifest.set_shards(1);
  manifest.set_chunk_elements(4096);
  manifest.set_elements(10);
  spec::TensorEntry* first = manifest.add_layout();
  first->set_name("embedding");
  first->add_shape(2);
  first->add_shape(3);
  spec::TensorEntry* second = manifest.add_layout();
  second->set_name("output.bias");
  second->add_shape(4);
  second->set_offset(6);
  spec::CheckpointFile* file = manifest.add_files();
  file->set_name("shard-00000-of-00001.safetensors");
  file->set_bytes(100);
  manifest.set_wall_time("2026-11-30T19:44:01Z");
  return manifest;
}

TEST(DirectiveTest, TakesAValidOne) {
  EXPECT_FALSE(FindViolation(ValidDirective(), Job()).has_value());
}

TEST(DirectiveTest, RefusesLeasesOutsideTheData) {
  const auto field = [](const std::function<void(spec::Directive*)>& change) {
    spec::Directive directive = ValidDirective();
    change(&directive);
    const std::optional<Violation> violation = FindViolation(directive, Job());
    return violation.has_value() ? violation->field : "";
  };
  const auto lease = [&field](const std::function<void(spec::Lease*)>& change) {
    return field([&change](spec::Directive* directive) { change(directive->mutable_leases(0)); });
  };
  EXPECT_EQ(lease([](spec::Lease* lease) { lease->set_to(8192); }), "leases[0].to");
  EXPECT_EQ(lease([](spec::Lease* lease) { lease->set_segment(122); }), "leases[0].segment");
  EXPECT_EQ(lease([](spec::Lease* lease) { lease->set_lane(16); }), "leases[0].lane");
  EXPECT_EQ(lease([](spec::Lease* lease) { lease->set_from(8191); }), "leases[0].from");
  EXPECT_EQ(lease([](spec::Lease* lease) { lease->set_from(-1); }), "leases[0].from");
  EXPECT_EQ(field([](spec::Directive* d) { d->set_push_codec(spec::Codec::UNSPECIFIED); }),
            "push_codec");
  EXPECT_EQ(field([](spec::Directive* d) { d->set_accumulation_steps(0); }), "accumulation_steps");
  EXPECT_EQ(field([](spec::Directive* d) { d->set_last_applied_round(3); }), "last_applied_round");
  EXPECT_EQ(field([](spec::Directive* d) { d->mutable_label()->set_round(INT64_MIN); }),
            "label.round");
  EXPECT_EQ(field([](spec::Directive* d) { d->mutable_shards(0)->clear_address(); }),
            "shards[0].address");
}

TEST(ManifestTest, TakesAValidOneAndItsText) {
  const std::string text = PrintText(ValidManifest());
  const absl::StatusOr<spec::Manifest> manifest = ParseManifest(text, "MANIFEST.textproto");
  ASSERT_TRUE(manifest.ok()) << manifest.status();
  EXPECT_EQ(PrintText(*manifest), text);
}

TEST(ManifestTest, RefusesContradictions) {
  const auto field = [](const std::function<void(spec::Manifest*)>& change) {
    spec::Manifest manifest = ValidManifest();
    change(&manifest);
    const std::optional<Violation> violation = FindViolation(manifest);
    return violation.has_value() ? violation->field : "";
  };
  EXPECT_EQ(field([](spec::Manifest* m) { m->set_format_major(2); }), "format_major");
  EXPECT_EQ(field([](spec::Manifest* m) { m->set_job_hash(1); }), "job_hash");
  EXPECT_EQ(field([](spec::Manifest* m) { m->mutable_job()->clear_stop(); }), "job.stop");
  EXPECT_EQ(field([](spec::Manifest* m) { m->mutable_record()->set_round(6); }), "record.round");
  EXPECT_EQ(
      field([](spec::Manifest* m) { m->mutable_record()->mutable_tunables()->clear_pause(); }),
      "record.tunables.pause");
  EXPECT_EQ(field([](spec::Manifest* m) { m->mutable_record()->set_samples(16385); }),
            "record.samples");
  EXPECT_EQ(field([](spec::Manifest* m) {
              m->mutable_record()->mutable_ledger()->mutable_open(0)->set_position(16385);
            }),
            "record.ledger.open[0].position");
  EXPECT_EQ(field([](spec::Manifest* m) { m->mutable_record()->mutable_ledger()->add_open(); }),
            "record.ledger.open[1]");
  EXPECT_EQ(field([](spec::Manifest* m) { m->set_elements(11); }), "elements");
  EXPECT_EQ(field([](spec::Manifest* m) { m->mutable_layout(1)->set_offset(5); }),
            "layout[1].offset");
  EXPECT_EQ(field([](spec::Manifest* m) { m->mutable_layout(1)->set_shape(0, INT64_MAX); }),
            "layout[1].shape");
  EXPECT_EQ(field([](spec::Manifest* m) { m->mutable_layout(1)->set_name("embedding"); }),
            "layout[1].name");
  EXPECT_EQ(field([](spec::Manifest* m) { m->set_shards(2); }), "files");
  EXPECT_EQ(field([](spec::Manifest* m) { m->mutable_files(0)->set_name("../x"); }),
            "files[0].name");
  EXPECT_EQ(field([](spec::Manifest* m) { m->mutable_files(0)->set_name(".."); }), "files[0].name");
  EXPECT_EQ(field([](spec::Manifest* m) { m->set_wall_time("yesterday"); }), "wall_time");
}

TEST(ManifestTest, AContradictionInsideAListHasItsPlace) {
  spec::Manifest manifest = ValidManifest();
  manifest.mutable_layout(1)->set_offset(5);
  const std::string text = PrintText(manifest);
  const size_t at = text.find("  offset: 5");
  ASSERT_NE(at, std::string::npos);
  const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<int64_t>(at), '\n');
  EXPECT_EQ(ParseManifest(text, "M").status().message(),
            "M:" + std::to_string(line) + ":3: layout[1].offset is 5; allowed are 6 to 6");
}

TEST(DataSetTest, RefusesSizesThatDoNotAgree) {
  spec::DataSet data_set;
  data_set.set_format_major(1);
  data_set.set_kind("text");
  data_set.set_heldout_fraction(0.01);
  data_set.set_separator("line:%");
  data_set.set_preprocessing("oai");
  data_set.mutable_train()->set_name("train.bin");
  data_set.mutable_train()->set_bytes(10);
  data_set.mutable_train()->set_documents(2);
  data_set.mutable_heldout()->set_name("heldout.bin");
  data_set.mutable_index()->set_name("index.bin");
  data_set.mutable_index()->set_bytes(16);
  data_set.mutable_index()->set_documents(2);
  EXPECT_FALSE(FindViolation(data_set).has_value());
  data_set.mutable_index()->set_bytes(17);
  EXPECT_EQ(FindViolation(data_set)->field, "index.bytes");
  data_set.mutable_train()->set_name("a/b");
  EXPECT_EQ(FindViolation(data_set)->field, "train.name");
}

}  // namespace
}  // namespace tenor

#include "absl/strings/str_cat.h"
#include "proto/field_checks.h"
#include "proto/tunable_ranges.h"
#include "proto/validate.h"

namespace tenor {
namespace {

using google::protobuf::FieldDescriptor;

double NumberOf(const spec::Tunables& tunables, const FieldDescriptor& field) {
  const google::protobuf::Reflection& reflection = *tunables.GetReflection();
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_INT32:
      return reflection.GetInt32(tunables, &field);
    case FieldDescriptor::CPPTYPE_INT64:
      return static_cast<double>(reflection.GetInt64(tunables, &field));
    default:
      return reflection.GetDouble(tunables, &field);
  }
}

void CheckCodec(absl::string_view field, spec::Codec::Id codec, FieldChecks* checks) {
  checks->That(codec == spec::Codec::FP32 || codec == spec::Codec::FP16, field,
               absl::StrCat("is ", static_cast<int>(codec), "; allowed are FP32, FP16"));
}

}  // namespace

spec::Tunables DefaultTunables() {
  spec::Tunables tunables;
  tunables.set_accumulation_steps(1);
  tunables.set_push_codec(spec::Codec::FP16);
  tunables.set_pull_codec(spec::Codec::FP16);
  tunables.set_learning_rate_scale(1);
  tunables.set_checkpoint_every(500);
  tunables.set_min_workers(1);
  tunables.set_heartbeat_timeout(5);
  tunables.set_round_deadline(0);
  tunables.set_pause(false);
  tunables.set_keep_checkpoints(3);
  tunables.set_keep_every(0);
  return tunables;
}

std::optional<Violation> FindViolation(const spec::Tunables& tunables) {
  FieldChecks checks;
  for (const TunableRange& range : kTunableRanges) {
    const FieldDescriptor* field =
        spec::Tunables::descriptor()->FindFieldByNumber(range.field_number);
    if (!tunables.GetReflection()->HasField(tunables, field)) continue;
    checks.Number(field->name(), NumberOf(tunables, *field), range.low, range.high);
  }
  if (tunables.has_push_codec()) CheckCodec("push_codec", tunables.push_codec(), &checks);
  if (tunables.has_pull_codec()) CheckCodec("pull_codec", tunables.pull_codec(), &checks);
  return std::move(checks).First();
}

std::optional<Violation> FindViolationOfAccepted(const spec::Tunables& tunables) {
  FieldChecks checks;
  const google::protobuf::Descriptor& descriptor = *spec::Tunables::descriptor();
  for (int i = 0; i < descriptor.field_count(); ++i) {
    checks.That(tunables.GetReflection()->HasField(tunables, descriptor.field(i)),
                descriptor.field(i)->name(), "is missing; accepted tunables have every field");
  }
  if (checks.failed()) return std::move(checks).First();
  return FindViolation(tunables);
}

}  // namespace tenor

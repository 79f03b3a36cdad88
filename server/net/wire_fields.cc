#include "server/net/wire_fields.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "base/status.h"

namespace tenor::wire_fields {
namespace {

constexpr size_t kMaxName = 128;
constexpr int32_t kMaxWeight = 1024;

bool IsNameCharacter(char c) { return absl::ascii_isalnum(c) || c == '.' || c == '_' || c == '-'; }

absl::StatusOr<Lease> LeaseFromWire(const spec::Lease& lease) {
  TENOR_RETURN_IF_ERROR(CheckNotNegative("lease.pass", lease.pass()));
  TENOR_RETURN_IF_ERROR(CheckNotNegative("lease.segment", lease.segment()));
  TENOR_RETURN_IF_ERROR(CheckNotNegative("lease.from", lease.from()));
  TENOR_RETURN_IF_ERROR(CheckNotNegative("lease.lane", lease.lane()));
  if (lease.to() < lease.from()) {
    return absl::InvalidArgumentError(
        absl::StrCat("lease ends at ", lease.to(), " before it begins at ", lease.from()));
  }
  return Lease{lease.pass(), lease.segment(), lease.from(), lease.to(), lease.lane()};
}

}  // namespace

spec::Label ToWire(const Label& label) {
  spec::Label out;
  out.set_lineage(label.lineage);
  out.set_round(label.round);
  out.set_view(label.view);
  return out;
}

wire::Handshake ToWire(const Hashes& hashes) {
  wire::Handshake out;
  out.set_protocol(hashes.protocol);
  out.set_job_hash(hashes.job);
  out.set_layout_hash(hashes.layout);
  out.set_data_digest(hashes.data);
  return out;
}

spec::Lease ToWire(const Lease& lease) {
  spec::Lease out;
  out.set_pass(lease.pass);
  out.set_segment(lease.segment);
  out.set_from(lease.from);
  out.set_to(lease.to);
  out.set_lane(lease.lane);
  return out;
}

spec::ShardAddress ToWire(const ShardAddress& address, int index) {
  spec::ShardAddress out;
  out.set_index(index);
  out.set_address(address.address);
  out.set_process(address.process.value);
  return out;
}

void AddLeases(const std::vector<Lease>& leases,
               google::protobuf::RepeatedPtrField<spec::Lease>* out) {
  for (const Lease& lease : leases) *out->Add() = ToWire(lease);
}

void AddShards(const std::vector<ShardAddress>& shards,
               google::protobuf::RepeatedPtrField<spec::ShardAddress>* out) {
  for (const ShardAddress& shard : shards) {
    const int index = out->size();
    *out->Add() = ToWire(shard, index);
  }
}

Hashes FromWire(const wire::Handshake& handshake) {
  return Hashes{handshake.protocol(), handshake.job_hash(), handshake.layout_hash(),
                handshake.data_digest()};
}

absl::StatusOr<Label> FromWire(const spec::Label& label) {
  TENOR_RETURN_IF_ERROR(CheckNotNegative("label.lineage", label.lineage()));
  TENOR_RETURN_IF_ERROR(CheckNotNegative("label.round", label.round()));
  TENOR_RETURN_IF_ERROR(CheckNotNegative("label.view", label.view()));
  return Label{label.lineage(), label.round(), label.view()};
}

absl::StatusOr<std::vector<Lease>> FromWire(
    const google::protobuf::RepeatedPtrField<spec::Lease>& leases) {
  std::vector<Lease> out;
  out.reserve(leases.size());
  for (const spec::Lease& lease : leases) {
    TENOR_ASSIGN_OR_RETURN(out.emplace_back(), LeaseFromWire(lease));
  }
  return out;
}

absl::StatusOr<std::vector<ShardAddress>> FromWire(
    const google::protobuf::RepeatedPtrField<spec::ShardAddress>& shards) {
  std::vector<ShardAddress> out;
  out.reserve(shards.size());
  for (const spec::ShardAddress& shard : shards) {
    if (shard.index() != static_cast<int64_t>(out.size())) {
      return absl::InvalidArgumentError(absl::StrCat("shard address of index ", shard.index(),
                                                     " stands at position ", out.size()));
    }
    out.push_back({shard.address(), ProcessId{shard.process()}});
  }
  return out;
}

absl::Status CheckName(absl::string_view name) {
  if (!name.empty() && name.size() <= kMaxName &&
      std::all_of(name.begin(), name.end(), IsNameCharacter)) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat("name \"", absl::CHexEscape(name.substr(0, kMaxName)),
                   "\" is not 1 to 128 letters, digits, dots, dashes or underscores"));
}

absl::Status CheckNotNegative(absl::string_view field, int64_t value) {
  if (value >= 0) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(field, " is negative: ", value));
}

absl::Status CheckCodec(absl::string_view field, spec::Codec::Id codec) {
  if (codec != spec::Codec::UNSPECIFIED && spec::Codec::Id_IsValid(codec)) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(field, " is no codec known here: ", static_cast<int>(codec)));
}

absl::Status CheckWeight(int32_t weight) {
  if (weight >= 1 && weight <= kMaxWeight) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("weight is ", weight, ", not within 1..", kMaxWeight));
}

}  // namespace tenor::wire_fields

#ifndef TENOR_SERVER_NET_WIRE_FIELDS_H_
#define TENOR_SERVER_NET_WIRE_FIELDS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "google/protobuf/repeated_field.h"
#include "proto/wire.pb.h"
#include "server/core/messages.h"

// Fields that several messages share, converted and checked; for the files wire*.cc only.

namespace tenor::wire_fields {

spec::Label ToWire(const Label& label);
wire::Handshake ToWire(const Hashes& hashes);
spec::Lease ToWire(const Lease& lease);
spec::ShardAddress ToWire(const ShardAddress& address, int index);
void AddLeases(const std::vector<Lease>& leases,
               google::protobuf::RepeatedPtrField<spec::Lease>* out);
void AddShards(const std::vector<ShardAddress>& shards,
               google::protobuf::RepeatedPtrField<spec::ShardAddress>* out);

Hashes FromWire(const wire::Handshake& handshake);
absl::StatusOr<Label> FromWire(const spec::Label& label);
absl::StatusOr<std::vector<Lease>> FromWire(
    const google::protobuf::RepeatedPtrField<spec::Lease>& leases);
// The index of each entry is its position.
absl::StatusOr<std::vector<ShardAddress>> FromWire(
    const google::protobuf::RepeatedPtrField<spec::ShardAddress>& shards);

absl::Status CheckName(absl::string_view name);
absl::Status CheckNotNegative(absl::string_view field, int64_t value);
absl::Status CheckCodec(absl::string_view field, spec::Codec::Id codec);
// Of a member: its local workers.
absl::Status CheckWeight(int32_t weight);

}  // namespace tenor::wire_fields

#endif  // TENOR_SERVER_NET_WIRE_FIELDS_H_

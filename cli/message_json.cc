#include "cli/message_json.h"

#include "google/protobuf/util/json_util.h"

namespace tenor {

std::string MessageJson(const google::protobuf::Message& message) {
  google::protobuf::util::JsonPrintOptions options;
  options.always_print_primitive_fields = true;
  options.preserve_proto_field_names = true;
  std::string json;
  // Fails for messages with Any fields of unknown type only; ours have none.
  return google::protobuf::util::MessageToJsonString(message, &json, options).ok() ? json : "{}";
}

}  // namespace tenor

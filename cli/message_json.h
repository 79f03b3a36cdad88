#ifndef TENOR_CLI_MESSAGE_JSON_H_
#define TENOR_CLI_MESSAGE_JSON_H_

#include <string>

#include "google/protobuf/message.h"

namespace tenor {

// One line of JSON, keys as in the .proto file, fields at their default included. Integers of 64
// bits are strings, as protobuf's JSON mapping has it.
std::string MessageJson(const google::protobuf::Message& message);

}  // namespace tenor

#endif  // TENOR_CLI_MESSAGE_JSON_H_
